BEGIN TRANSACTION;
CREATE TABLE about (
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "about" VALUES('record','record of the dogfight companion, format 1, 2a23e685');
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('8');
CREATE TABLE arrived (
	match_id TEXT NOT NULL, 
	place TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
CREATE TABLE carried (
	place TEXT NOT NULL, 
	sent INTEGER NOT NULL, 
	taken INTEGER NOT NULL, 
	PRIMARY KEY (place)
);
CREATE TABLE closings (
	match_id TEXT NOT NULL, 
	line TEXT NOT NULL, 
	chain TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
INSERT INTO "closings" VALUES('41f82de710','{"closing":{"at_utc":"2026-11-21T19:00:09Z","cite":"JP-11.1","outcome":"Jaws win.","rulings":[["Hit.","JP-9.3"]],"winners":["Jaws"]},"lines":3}','079f7b3b96edbf5d06b46b8030f9ac1c');
CREATE TABLE counted (
	match_id TEXT NOT NULL, 
	form INTEGER NOT NULL, 
	seal TEXT NOT NULL, 
	told TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
INSERT INTO "counted" VALUES('41f82de710',1,'079f7b3b96edbf5d06b46b8030f9ac1c','{"box":"jaws-and-paws","flown":{},"mode":"day","people":{"JP":"Ana","PP":"Ben"},"rows":[["JP","dealt","","",1,0.0,0.0],["JP","taken","","",1,0.0,0.0],["JG","dealt","","",1,0.0,0.0],["JG","taken","","",1,0.0,0.0],["PP","dealt","","",1,0.0,0.0],["PP","taken","","",1,0.0,0.0],["PG","dealt","","",1,0.0,0.0],["PG","taken","","",1,0.0,0.0]],"rules":[],"side_of":{"JG":"Jaws","JP":"Jaws","PG":"Paws","PP":"Paws"},"sides":["Jaws","Paws"],"winners":["Jaws"]}');
CREATE TABLE differing (
	match_id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
CREATE TABLE entries (
	match_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	line TEXT NOT NULL, 
	chain TEXT NOT NULL, 
	UNIQUE (match_id, seq)
);
INSERT INTO "entries" VALUES('41f82de710',0,'{"answer":{"app_version":"","box":"jaws-and-paws","cards":{},"edition":1,"options":{},"position":null,"seats":{"JP":"Ana","PP":"Ben"},"variants":["day"]},"at_utc":"2026-11-21T19:00:00Z","author":"Ana","kind":"setup","seq":0}','41f82de710ad85e047612c8ddf4e6412');
INSERT INTO "entries" VALUES('41f82de710',1,'{"answer":"Jaws","at_utc":"2026-11-21T19:00:05Z","author":"Ana","key":"toss","kind":"answer","match_s":5.0,"seq":1}','54ccd4393584f930bfee55da4a2e264a');
INSERT INTO "entries" VALUES('41f82de710',2,'{"answer":{"n":0.14285714285714285},"at_utc":"2026-11-21T19:00:09Z","author":"Ben","key":"sun","kind":"answer","match_s":9.0,"seq":2}','863d3117877d59e7867d0703f7656307');
INSERT INTO "entries" VALUES('4e0e0d9f8a',0,'{"answer":{"app_version":"","box":"jaws-and-paws","cards":{},"edition":1,"options":{},"position":null,"seats":{"JP":"Ana","PP":"Ben"},"variants":["day"]},"at_utc":"2026-11-22T19:00:00Z","author":"Ana","kind":"setup","seq":0}','4e0e0d9f8a79a01f39b2f0e13890acf3');
INSERT INTO "entries" VALUES('4e0e0d9f8a',1,'{"answer":"Paws","at_utc":"2026-11-22T19:00:05Z","author":"Ben","key":"toss","kind":"answer","match_s":5.0,"seq":1}','4d3972c65ed72b7c63521759141383d1');
CREATE TABLE lengths (
	match_id TEXT NOT NULL, 
	lines INTEGER NOT NULL, 
	chain TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
INSERT INTO "lengths" VALUES('41f82de710',3,'863d3117877d59e7867d0703f7656307','c7aabcd26f1ca55c728a063acd6dcc32');
INSERT INTO "lengths" VALUES('4e0e0d9f8a',2,'4d3972c65ed72b7c63521759141383d1','9be8d22c402ae43a673c5ab9c504f343');
CREATE TABLE listed (
	match_id TEXT NOT NULL, 
	box TEXT NOT NULL, 
	demonstration INTEGER NOT NULL, 
	begun TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	state TEXT NOT NULL, 
	winners TEXT NOT NULL, 
	outcome TEXT NOT NULL, 
	verified TEXT NOT NULL, 
	fault TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
INSERT INTO "listed" VALUES('41f82de710','jaws-and-paws',0,'2026-11-21T19:00:00Z','{"options":{},"seats":{"JP":"Ana","PP":"Ben"},"variants":["day"]}','ended','["Jaws"]','Jaws win.','','');
INSERT INTO "listed" VALUES('4e0e0d9f8a','jaws-and-paws',0,'2026-11-22T19:00:00Z','{"options":{},"seats":{"JP":"Ana","PP":"Ben"},"variants":["day"]}','open','[]','','','');
CREATE TABLE matches (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	line TEXT NOT NULL, 
	chain TEXT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "matches" VALUES(1,'41f82de710','{"answer":{"app_version":"","box":"jaws-and-paws","cards":{},"edition":1,"options":{},"position":null,"seats":{"JP":"Ana","PP":"Ben"},"variants":["day"]},"at_utc":"2026-11-21T19:00:00Z","author":"Ana","kind":"setup","seq":0}','41f82de710ad85e047612c8ddf4e6412');
INSERT INTO "matches" VALUES(2,'4e0e0d9f8a','{"answer":{"app_version":"","box":"jaws-and-paws","cards":{},"edition":1,"options":{},"position":null,"seats":{"JP":"Ana","PP":"Ben"},"variants":["day"]},"at_utc":"2026-11-22T19:00:00Z","author":"Ana","kind":"setup","seq":0}','4e0e0d9f8a79a01f39b2f0e13890acf3');
CREATE TABLE outbox (
	match_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	PRIMARY KEY (match_id)
);
INSERT INTO "outbox" VALUES('41f82de710',1);
INSERT INTO "outbox" VALUES('4e0e0d9f8a',2);
CREATE TABLE periods (
	period TEXT NOT NULL, 
	about TEXT NOT NULL, 
	seals TEXT NOT NULL, 
	told TEXT NOT NULL, 
	PRIMARY KEY (period, about)
);
INSERT INTO "periods" VALUES('2026-11','form 3','1df33b457ae278916f6623d247c1b010','');
INSERT INTO "periods" VALUES('2026-11','player','1df33b457ae278916f6623d247c1b010','e0a8003900fb3f2fbfe0a970c621d0ba
[["jaws-and-paws","jaws-and-paws"],["Ana","Ben"],[1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026-11','seat','1df33b457ae278916f6623d247c1b010','f77fe498f131b35fca237d9502ce72b0
[["jaws-and-paws","jaws-and-paws","jaws-and-paws","jaws-and-paws"],["JG","JP","PG","PP"],[1,1,1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026-11','side','1df33b457ae278916f6623d247c1b010','935c3030a267d47b576492b46cbb4c7e
[["jaws-and-paws","jaws-and-paws"],["Jaws","Paws"],[1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026-11','mode','1df33b457ae278916f6623d247c1b010','57ce957b6ce8c3a21a0546c686bd79a7
[["jaws-and-paws","jaws-and-paws"],["day: Jaws","day: Paws"],[1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026-11','box','1df33b457ae278916f6623d247c1b010','3fd5111276f56e3b0f5b748cd48d3d4b
[["jaws-and-paws"],["jaws-and-paws"],[1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026','form 3','1df33b457ae278916f6623d247c1b010','');
INSERT INTO "periods" VALUES('2026','player','1df33b457ae278916f6623d247c1b010','e0a8003900fb3f2fbfe0a970c621d0ba
[["jaws-and-paws","jaws-and-paws"],["Ana","Ben"],[1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026','seat','1df33b457ae278916f6623d247c1b010','f77fe498f131b35fca237d9502ce72b0
[["jaws-and-paws","jaws-and-paws","jaws-and-paws","jaws-and-paws"],["JG","JP","PG","PP"],[1,1,1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026','side','1df33b457ae278916f6623d247c1b010','935c3030a267d47b576492b46cbb4c7e
[["jaws-and-paws","jaws-and-paws"],["Jaws","Paws"],[1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026','mode','1df33b457ae278916f6623d247c1b010','57ce957b6ce8c3a21a0546c686bd79a7
[["jaws-and-paws","jaws-and-paws"],["day: Jaws","day: Paws"],[1,1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]
[["won","",1,0,0],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
INSERT INTO "periods" VALUES('2026','box','1df33b457ae278916f6623d247c1b010','3fd5111276f56e3b0f5b748cd48d3d4b
[["jaws-and-paws"],["jaws-and-paws"],[1]]
[["won","",1,1,1],["drawn","",1,0,0],["dealt","",1,0.0,0.0],["taken","",1,0.0,0.0]]');
CREATE TABLE players (
	"key" TEXT NOT NULL, 
	name TEXT NOT NULL, 
	player TEXT NOT NULL, 
	at_utc TEXT NOT NULL, 
	author TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
CREATE TABLE ratings (
	player TEXT NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	begun TEXT NOT NULL, 
	PRIMARY KEY (player)
);
INSERT INTO "ratings" VALUES('Ana',2.76353894931404973087e+01,8.06590141354368,'');
INSERT INTO "ratings" VALUES('Ben',2.23646105068595026912e+01,8.06590141354368,'');
INSERT INTO "ratings" VALUES('',1.0,0.0,'2026-11-21T19:00:00Z');
CREATE TABLE rests (
	match_id TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	rest_s FLOAT NOT NULL, 
	boot_id TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (match_id, "key")
);
INSERT INTO "rests" VALUES('4e0e0d9f8a','round-1/locked',17.5,'boot',3.25);
CREATE TABLE saved (
	match_id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
CREATE TABLE seated (
	match_id TEXT NOT NULL, 
	seat TEXT NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (match_id, seat)
);
INSERT INTO "seated" VALUES('41f82de710','JP','Ana');
INSERT INTO "seated" VALUES('41f82de710','PP','Ben');
INSERT INTO "seated" VALUES('4e0e0d9f8a','JP','Ana');
INSERT INTO "seated" VALUES('4e0e0d9f8a','PP','Ben');
CREATE TABLE signatures (
	match_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	public TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (match_id)
);
INSERT INTO "signatures" VALUES('41f82de710','Club table 4','81eb393de4869152f0387943eca52cc2eb91e5e75936c504e9b4adb3e85c1466','c11a5f2846993f73455b130ea1756a9c9809ef0dbfd380ab8662e4ce8b35d72bcad8ae1ced4b904a262d493866adab30976668e3531522853dc63af2b1d31802');
CREATE TABLE sums (
	about TEXT NOT NULL, 
	box TEXT NOT NULL, 
	name TEXT NOT NULL, 
	figure TEXT NOT NULL, 
	detail TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	total FLOAT NOT NULL, 
	squares FLOAT NOT NULL, 
	PRIMARY KEY (about, box, name, figure, detail)
);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JP','won','',1,1.0,1.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JP','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ana','won','',1,1.0,1.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ana','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Jaws','won','',1,1.0,1.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Jaws','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Jaws','won','',1,1.0,1.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Jaws','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('box','jaws-and-paws','jaws-and-paws','won','',1,1.0,1.0);
INSERT INTO "sums" VALUES('box','jaws-and-paws','jaws-and-paws','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JG','won','',1,1.0,1.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JG','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PP','won','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PP','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ben','won','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ben','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Paws','won','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Paws','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Paws','won','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Paws','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PG','won','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PG','drawn','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ana','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Jaws','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Jaws','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('box','jaws-and-paws','jaws-and-paws','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JP','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ana','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Jaws','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Jaws','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('box','jaws-and-paws','jaws-and-paws','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JP','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JG','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','JG','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Paws','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ben','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PP','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Paws','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('side','jaws-and-paws','Paws','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('player','jaws-and-paws','Ben','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PP','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('mode','jaws-and-paws','day: Paws','taken','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PG','dealt','',1,0.0,0.0);
INSERT INTO "sums" VALUES('seat','jaws-and-paws','PG','taken','',1,0.0,0.0);
CREATE INDEX listed_outcomes ON listed (box, winners, state, demonstration);
CREATE INDEX seated_names ON seated (name);
CREATE INDEX outbox_numbers ON outbox (number);
CREATE INDEX matches_first ON matches (chain);
CREATE INDEX listed_begun ON listed (begun);
CREATE TRIGGER periods_of_added AFTER INSERT ON counted  BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id); END;
CREATE TRIGGER periods_of_changed AFTER UPDATE ON counted  BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id); END;
CREATE TRIGGER periods_of_gone AFTER DELETE ON counted  BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = OLD.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = OLD.match_id); END;
CREATE TRIGGER periods_of_listed AFTER INSERT ON listed  BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id) AND EXISTS (SELECT 1 FROM counted WHERE match_id = NEW.match_id); END;
CREATE TRIGGER periods_of_unlisted BEFORE DELETE ON listed  BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = OLD.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = OLD.match_id) AND EXISTS (SELECT 1 FROM counted WHERE match_id = OLD.match_id); END;
CREATE TRIGGER periods_moved_from BEFORE UPDATE OF begun ON listed WHEN (OLD.begun <> NEW.begun) BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = OLD.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = OLD.match_id) AND EXISTS (SELECT 1 FROM counted WHERE match_id = OLD.match_id); END;
CREATE TRIGGER periods_moved_to AFTER UPDATE OF begun ON listed WHEN (OLD.begun <> NEW.begun) BEGIN DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id) AND EXISTS (SELECT 1 FROM counted WHERE match_id = NEW.match_id); END;
COMMIT;
