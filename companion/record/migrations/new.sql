-- What all steps make of nothing, one after another: a new record needs no alembic for it.
-- A test holds it to the steps, and says what it should be where a step has come.
CREATE TABLE alembic_version (
  version_num VARCHAR(32) NOT NULL,
  CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE about (
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (name)
);
CREATE TABLE matches (
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  line TEXT NOT NULL,
  chain TEXT NOT NULL,
  PRIMARY KEY (number),
  UNIQUE (id)
);
CREATE TABLE entries (
  match_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  line TEXT NOT NULL,
  chain TEXT NOT NULL,
  UNIQUE (match_id, seq)
);
CREATE TABLE closings (
  match_id TEXT NOT NULL,
  line TEXT NOT NULL,
  chain TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
CREATE TABLE rests (
  match_id TEXT NOT NULL,
  "key" TEXT NOT NULL,
  rest_s FLOAT NOT NULL,
  boot_id TEXT NOT NULL,
  at FLOAT NOT NULL,
  PRIMARY KEY (match_id, "key")
);
CREATE TABLE lengths (
  match_id TEXT NOT NULL,
  lines INTEGER NOT NULL,
  chain TEXT NOT NULL,
  seal TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
CREATE TABLE saved (
  match_id TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
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
CREATE INDEX listed_outcomes ON listed (box, winners, state, demonstration);
CREATE TABLE signatures (
  match_id TEXT NOT NULL,
  name TEXT NOT NULL,
  public TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
CREATE TABLE players (
  "key" TEXT NOT NULL,
  name TEXT NOT NULL,
  player TEXT NOT NULL,
  at_utc TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY ("key")
);
CREATE TABLE seated (
  match_id TEXT NOT NULL,
  seat TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (match_id, seat)
);
CREATE INDEX seated_names ON seated (name);
CREATE TABLE outbox (
  match_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (match_id)
);
CREATE INDEX outbox_numbers ON outbox (number);
CREATE TABLE carried (
  place TEXT NOT NULL,
  sent INTEGER NOT NULL,
  taken INTEGER NOT NULL,
  PRIMARY KEY (place)
);
CREATE TABLE arrived (
  match_id TEXT NOT NULL,
  place TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
CREATE TABLE differing (
  match_id TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
CREATE INDEX matches_first ON matches (chain);
CREATE TABLE counted (
  match_id TEXT NOT NULL,
  form INTEGER NOT NULL,
  seal TEXT NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (match_id)
);
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
CREATE TABLE ratings (
  player TEXT NOT NULL,
  mu FLOAT NOT NULL,
  sigma FLOAT NOT NULL,
  begun TEXT NOT NULL,
  PRIMARY KEY (player)
);
CREATE INDEX listed_begun ON listed (begun);
CREATE TABLE periods (
  period TEXT NOT NULL,
  about TEXT NOT NULL,
  seals TEXT NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (period, about)
);
CREATE TRIGGER periods_of_added AFTER INSERT ON counted BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id); END;
CREATE TRIGGER periods_of_changed AFTER UPDATE ON counted BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id); END;
CREATE TRIGGER periods_of_gone AFTER DELETE ON counted BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = OLD.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = OLD.match_id); END;
CREATE TRIGGER periods_of_listed AFTER INSERT ON listed BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id)
  AND EXISTS (SELECT 1 FROM counted WHERE match_id = NEW.match_id); END;
CREATE TRIGGER periods_of_unlisted BEFORE DELETE ON listed BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = OLD.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = OLD.match_id)
  AND EXISTS (SELECT 1 FROM counted WHERE match_id = OLD.match_id); END;
CREATE TRIGGER periods_moved_from BEFORE UPDATE OF begun ON listed WHEN (OLD.begun <> NEW.begun) BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = OLD.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = OLD.match_id)
  AND EXISTS (SELECT 1 FROM counted WHERE match_id = OLD.match_id); END;
CREATE TRIGGER periods_moved_to AFTER UPDATE OF begun ON listed WHEN (OLD.begun <> NEW.begun) BEGIN
  DELETE FROM periods WHERE period IN (SELECT substr(begun, 1, 4) FROM listed WHERE match_id = NEW.match_id
  UNION SELECT substr(begun, 1, 7) FROM listed WHERE match_id = NEW.match_id)
  AND EXISTS (SELECT 1 FROM counted WHERE match_id = NEW.match_id); END;
CREATE INDEX sums_figures ON sums (about, figure, name, box, number);
INSERT INTO alembic_version VALUES ('9');
