"""The sensor box on a USB cable: its words, its clock, its line, and a simulated one."""
