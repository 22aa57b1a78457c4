/* Tells every change of the pretended GPIO lines: "seconds line level", seconds of CLOCK_MONOTONIC.
   watch-pins FOLDER LINE...   with FOLDER the chip's in sysfs. It looks 200 times a second. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 28 };

int main(int argc, char **argv) {
    int files[LINES], count = argc - 2;
    char levels[LINES] = {0}, path[512];
    if (argc < 3 || count > LINES) return 2;
    for (int n = 0; n < count; n++) {
        snprintf(path, sizeof path, "%s/sim_gpio%s/value", argv[1], argv[n + 2]);
        if ((files[n] = open(path, O_RDONLY)) < 0) return perror(path), 1;
    }
    for (;;) {
        for (int n = 0; n < count; n++) {
            char level = 0;
            struct timespec now;
            if (pread(files[n], &level, 1, 0) != 1 || level == levels[n]) continue;
            levels[n] = level;
            clock_gettime(CLOCK_MONOTONIC, &now);
            printf("%ld.%03ld %s %c\n", (long)now.tv_sec, now.tv_nsec / 1000000, argv[n + 2], level);
            fflush(stdout);
        }
        usleep(5000);
    }
}
