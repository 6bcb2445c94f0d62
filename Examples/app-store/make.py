#!/usr/bin/env python3
"""Makes the store of an app, as Apple's framework leaves it: `make.py Recipes.sqlite`.

Z tables, bookkeeping, the model in Z_MODELCACHE, an ordered and a many-to-many relationship, a subentity, a UUID, a decimal
number, an archived list, a photo in a file of its own, and a history. Dates are seconds since 2001.
"""

import os
import plistlib
import sqlite3
import sys
import uuid
import zlib
from datetime import datetime, timezone
from plistlib import UID

STORE = uuid.UUID("6F1D4A5E-7B35-4B0B-9C36-0D0A6C1E5A11")
TYPES = {"Integer16": (100, "NSNumber", "INTEGER"), "Boolean": (800, "NSNumber", "INTEGER"),
         "Decimal": (400, "NSDecimalNumber", "DECIMAL"), "String": (700, "NSString", "VARCHAR"),
         "Date": (900, "NSDate", "TIMESTAMP"), "UUID": (1100, "NSUUID", "BLOB"),
         "Binary": (1000, "NSData", "BLOB"), "Transformable": (1800, "NSArray", "BLOB")}
NULLIFY, CASCADE = 1, 2

# name: (parent, attributes, relationships); relationships are (destination, inverse, to-many, ordered, delete rule)
MODEL = {
    "Cuisine": (None, {"name": "String"}, {"recipes": ("Recipe", "cuisine", True, False, NULLIFY)}),
    "Ingredient": (None, {"name": "String"}, {"recipes": ("Recipe", "ingredients", True, False, NULLIFY)}),
    "Recipe": (None, {"cost": "Decimal", "createdAt": "Date", "id": "UUID", "isFavorite": "Boolean", "photo": "Binary",
                      "rating": "Integer16", "tags": "Transformable", "title": "String"},
               {"cuisine": ("Cuisine", "recipes", False, False, NULLIFY),
                "ingredients": ("Ingredient", "recipes", True, False, NULLIFY),
                "steps": ("Step", "recipe", True, True, CASCADE)}),
    "PartyRecipe": ("Recipe", {"guests": "Integer16"}, {}),
    "Step": (None, {"minutes": "Integer16", "text": "String"}, {"recipe": ("Recipe", "steps", False, False, NULLIFY)}),
}
NUMBERS = {name: number for number, name in enumerate(MODEL, 1)}


class Archive:
    """Objects as NSKeyedArchiver lays them out: a list in which they refer to one another by number."""

    def __init__(self):
        self.objects = ["$null"]
        self.classes = {}

    def add(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def named(self, name, *ancestors):
        if name not in self.classes:
            self.classes[name] = self.add({"$classname": name, "$classes": [name, *ancestors, "NSObject"]})
        return self.classes[name]

    def array(self, items):
        return self.add({"$class": self.named("NSArray"), "NS.objects": list(items)})

    def dictionary(self, pairs):
        return self.add({"$class": self.named("NSDictionary"), "NS.keys": [self.add(key) for key in pairs],
                         "NS.objects": list(pairs.values())})

    def bytes(self, root):
        return plistlib.dumps({"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": root},
                               "$objects": self.objects}, fmt=plistlib.FMT_BINARY, sort_keys=False)


def model_cache():
    """The model as the framework keeps a copy of it: a raw DEFLATE stream of its archive."""
    archive = Archive()
    root = archive.add({})
    entities = {name: archive.add({}) for name in MODEL}
    relationships = {(name, key): archive.add({}) for name, (_, _, keys) in MODEL.items() for key in keys}
    null = UID(0)
    for name, (parent, _, _) in MODEL.items():
        properties = {}
        lineage, ancestor = [], name
        while ancestor:
            lineage.insert(0, ancestor)
            ancestor = MODEL[ancestor][0]
        for owner in lineage:
            _, attributes, keys = MODEL[owner]
            for key, kind in attributes.items():
                code, value_class, _ = TYPES[kind]
                properties[key] = archive.add({
                    "$class": archive.named("NSAttributeDescription", "NSPropertyDescription"),
                    "NSPropertyName": archive.add(key), "NSAttributeType": code, "NSEntity": entities[name],
                    "NSAttributeValueClassName": archive.add(value_class),
                    "NSIsOptional": key != "title", "NSFlagsKey": 4 if kind == "Binary" else 0,
                    "NSDefaultValue": archive.add(0) if key == "rating" else null,
                    "NSValueTransformerName": null})
            for key, (destination, inverse, many, ordered, rule) in keys.items():
                reference = relationships[owner, key]
                archive.objects[reference.data] = {
                    "$class": archive.named("NSRelationshipDescription", "NSPropertyDescription"),
                    "NSPropertyName": archive.add(key), "NSIsOptional": True, "NSEntity": entities[owner],
                    "NSDestinationEntity": entities[destination],
                    "NSInverseRelationship": relationships[destination, inverse],
                    "_NSDestinationEntityName": archive.add(destination),
                    "_NSInverseRelationshipName": archive.add(inverse), "NSMinCount": 0,
                    "NSMaxCount": 0 if many else 1, "NSDeleteRule": rule, "NSIsOrdered": ordered}
                properties[key] = reference
        children = {child: entities[child] for child, (above, _, _) in MODEL.items() if above == name}
        archive.objects[entities[name].data] = {
            "$class": archive.named("NSEntityDescription"), "NSEntityName": archive.add(name),
            "NSClassNameForEntity": archive.add(name), "NSManagedObjectModel": root,
            "NSProperties": archive.dictionary(properties), "NSSubentities": archive.dictionary(children),
            "NSSuperentity": entities[parent] if parent else null,
            "NSUserInfo": archive.dictionary({}), "NSVersionHashModifier": null}
        if name == "Ingredient":
            archive.objects[entities[name].data]["NSUniqueTuples"] = archive.array([
                archive.array([archive.add("name")])])
    archive.objects[root.data] = {
        "$class": archive.named("NSManagedObjectModel"), "NSEntities": archive.dictionary(entities),
        "NSFetchRequestTemplates": null, "NSVersionIdentifiers": null}
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflate.compress(archive.bytes(root)) + deflate.flush()


def archived(texts):
    archive = Archive()
    return archive.bytes(archive.array([archive.add(text) for text in texts]))


def seconds(text):
    moment = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    return (moment - datetime(2001, 1, 1, tzinfo=timezone.utc)).total_seconds()


SCHEMA = """
CREATE TABLE ZCUISINE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE ZINGREDIENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE ZRECIPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISFAVORITE INTEGER, ZRATING INTEGER,
  ZCUISINE INTEGER, ZGUESTS INTEGER, ZCREATEDAT TIMESTAMP, ZCOST DECIMAL, ZTITLE VARCHAR, ZID BLOB, ZPHOTO BLOB, ZTAGS BLOB);
CREATE TABLE ZSTEP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMINUTES INTEGER, ZRECIPE INTEGER,
  Z3_RECIPE INTEGER, Z_FOK_RECIPE INTEGER, ZTEXT VARCHAR);
CREATE TABLE Z_2RECIPES (Z_2INGREDIENTS INTEGER, Z_3RECIPES INTEGER, PRIMARY KEY (Z_2INGREDIENTS, Z_3RECIPES));
CREATE INDEX Z_2RECIPES_Z_3RECIPES_INDEX ON Z_2RECIPES (Z_3RECIPES, Z_2INGREDIENTS);
CREATE INDEX ZRECIPE_ZCUISINE_INDEX ON ZRECIPE (ZCUISINE);
CREATE INDEX ZRECIPE_Z_ENT_INDEX ON ZRECIPE (Z_ENT);
CREATE INDEX ZSTEP_ZRECIPE_INDEX ON ZSTEP (ZRECIPE);
CREATE UNIQUE INDEX Z_Ingredient_UNIQUE_name ON ZINGREDIENT (ZNAME COLLATE BINARY ASC);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
  ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER,
  ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR,
  ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
"""

CUISINES = ["French", "Japanese", "Mexican"]
INGREDIENTS = ["butter", "corn", "egg", "flour", "lime", "rice", "seaweed"]
# title, entity, cuisine, day, rating, cost, favourite, guests, tags, ingredients, steps
RECIPES = [
    ("Crêpes", "Recipe", 1, "2024-02-02", 5, 3.2, 1, None, ["sweet", "quick"], [1, 3, 4],
     [("Stir flour, eggs and milk", 5), ("Let it rest", 30), ("Fry thin ones in butter", 15)]),
    ("Onigiri", "Recipe", 2, "2024-03-11", 4, 2.75, 0, None, ["quick"], [6, 7], [("Cook the rice", 20), ("Shape", 10)]),
    ("Tacos", "PartyRecipe", 3, "2024-05-05", 5, 18.4, 1, 8, ["hot"], [2, 5], [("Press tortillas", 25), ("Fill", 10)]),
    ("Elote", "Recipe", 3, "2024-07-19", 3, 4.1, 0, None, None, [1, 2, 5], [("Grill the corn", 12)]),
    ("Omelette", "Recipe", 1, "2024-09-01", 4, 2.1, 0, None, ["quick"], [1, 3], [("Beat", 2), ("Fry", 4)]),
]
PHOTO = bytes(range(256)) * 8


def make(path):
    for suffix in ["", "-wal", "-shm"]:
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    store = sqlite3.connect(path)
    store.executescript("PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL;" + SCHEMA)
    metadata = {"NSStoreType": "SQLite", "NSStoreModelVersionIdentifiers": ["1.0"], "NSStoreModelVersionHashesVersion": 3,
                "NSPersistenceFrameworkVersion": 1414, "_NSAutoVacuumLevel": "2",
                "NSStoreModelVersionHashes": {name: uuid.uuid5(STORE, name).bytes * 2 for name in MODEL}}
    store.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)",
                  (str(STORE).upper(), plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY)))
    store.execute("INSERT INTO Z_MODELCACHE VALUES (?)", (model_cache(),))
    changes = []

    def insert(table, entity, key, columns):
        names = ", ".join(["Z_PK", "Z_ENT", "Z_OPT", *columns])
        values = [key, NUMBERS[entity], 1, *columns.values()]
        store.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(values))})", values)
        changes.append((NUMBERS[entity], key))

    for key, name in enumerate(CUISINES, 1):
        insert("ZCUISINE", "Cuisine", key, {"ZNAME": name})
    for key, name in enumerate(INGREDIENTS, 1):
        insert("ZINGREDIENT", "Ingredient", key, {"ZNAME": name})
    external = os.path.join(os.path.dirname(path) or ".", f".{os.path.basename(path).rsplit('.', 1)[0]}_SUPPORT",
                            "_EXTERNAL_DATA")
    os.makedirs(external, exist_ok=True)
    file = str(uuid.uuid5(STORE, "photo")).upper()
    with open(os.path.join(external, file), "wb") as photo:
        photo.write(PHOTO)
    step = 0
    for key, (title, entity, cuisine, day, rating, cost, favorite, guests, tags, ingredients, steps) in enumerate(RECIPES, 1):
        photo = b"\x02" + file.encode() + b"\0" if key == 1 else b"\x01\x89PNG" if key == 2 else None
        insert("ZRECIPE", entity, key, {
            "ZTITLE": title, "ZCREATEDAT": seconds(day), "ZRATING": rating, "ZCOST": cost, "ZISFAVORITE": favorite,
            "ZGUESTS": guests, "ZCUISINE": cuisine, "ZID": uuid.uuid5(STORE, title).bytes, "ZPHOTO": photo,
            "ZTAGS": archived(tags) if tags else None})
        store.executemany("INSERT INTO Z_2RECIPES (Z_2INGREDIENTS, Z_3RECIPES) VALUES (?, ?)",
                          [(ingredient, key) for ingredient in ingredients])
        for place, (text, minutes) in enumerate(steps):
            step += 1
            insert("ZSTEP", "Step", step, {"ZTEXT": text, "ZMINUTES": minutes, "ZRECIPE": key,
                                           "Z3_RECIPE": NUMBERS[entity], "Z_FOK_RECIPE": 2048 + 1024 * place})
    strings = ["app", "com.example.Recipes", "Recipes"]
    store.executemany("INSERT INTO ATRANSACTIONSTRING VALUES (?, 16003, NULL, ?)", enumerate(strings, 1))
    store.execute("INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) "
                  "VALUES (1, 16002, 1, 2, 3, ?)", (seconds("2024-09-01T08:30:00"),))
    store.executemany("INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                      "VALUES (?, 16001, 0, ?, ?, 1)", [(key, *change) for key, change in enumerate(changes, 1)])
    highest = {"Cuisine": len(CUISINES), "Ingredient": len(INGREDIENTS), "Recipe": len(RECIPES), "Step": step}
    store.executemany("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)",
                      [(NUMBERS[name], name, NUMBERS[parent] if parent else 0, highest.get(name, 0))
                       for name, (parent, _, _) in MODEL.items()]
                      + [(16001, "CHANGE", 0, len(changes)), (16002, "TRANSACTION", 0, 1),
                         (16003, "TRANSACTIONSTRING", 0, len(strings))])
    store.commit()
    store.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make.py STORE.sqlite")
    make(sys.argv[1])
