import Testing

/// A value that was read of an attribute, given back: as an argument, and to the attribute.
@Suite struct ReadValueTests {
  private static let attributes = TypesStore.attributes
  private static func isOrdered(_ name: String) -> Bool { name != "tags" }

  /// Conditions that the object whose value is `value` fulfils, with their arguments.
  private static func conditions(_ name: String) -> [(format: String, arguments: String)] {
    let all = [
      ("\(name) == %@", "value"), ("%K == %@", "'\(name)', value"), ("%@ == \(name)", "value"),
      ("NOT (\(name) != %@)", "value"), ("\(name) IN %@", "{ value }"), ("\(name) IN %@", "{ value, other }"),
      ("\(name) == %@ OR FALSEPREDICATE", "value"), ("{%@} CONTAINS \(name)", "value"),
      ("SUBQUERY(owner.things, $t, $t.\(name) == %@ AND $t == SELF).@count == 1", "value"),
      ("SUBQUERY(owner.things, $t, $t.\(name) IN %@ AND $t == SELF).@count == 1", "{ value }"),
      ("ANY owner.things.\(name) == %@", "value"), ("TERNARY(\(name) == %@, 1, 0) == 1", "value"),
    ]
    let ordered = [
      ("\(name) BETWEEN %@", "{ value, value }"), ("\(name) >= %@ AND \(name) <= %@", "value, value"),
      ("NOT (\(name) < %@ OR \(name) > %@)", "value, value"),
    ]
    return isOrdered(name) ? all + ordered : all
  }

  /// In the store, in memory, and bound to a variable the answer is the same.
  private func check(_ store: TypesStore, _ code: String) throws {
    let script = try store.open()
    for name in Self.attributes {
      try script.run(
        "object = Thing:find '\(code)' value, other = object.\(name), Thing:find('\(code == "a" ? "b" : "a")').\(name)")
      for (format, arguments) in Self.conditions(name) {
        let request = "Thing:where(\"\(format)\", \(arguments)):where('code == %@', '\(code)')"
        #expect(script.error("assert(\(request):count() == 1)") == nil, "\(name) in the store: \(format)")
        #expect(
          script.error("assert(Predicate(\"\(format)\", \(arguments)):evaluate(object) == true)") == nil,
          "\(name) in memory: \(format)")
      }
      let bound = "Thing:where('\(name) == $value'):bind { value = value }:where('code == %@', '\(code)'):count()"
      #expect(try script.value(bound) == "1", "\(name) bound")
      #expect(try script.value("Thing:find { \(name) = value, code = '\(code)' } == object") == "true", "\(name) found")
      #expect(try script.value("Thing:count('\(name) != %@', value)") == "1", "\(name) is different")
    }
  }

  @Test func aValueThatWasReadEqualsItsAttribute() throws { try check(try TypesStore(), "a") }

  @Test func bytesThatAreNoTextEqualTheirAttribute() throws { try check(try TypesStore(), "b") }

  @Test func bytesOfAnAppsTransformerEqualTheirAttribute() throws {
    let store = try TypesStore()
    store.transformer = "Transformable { valueTransformer = 'ColorTransformer' }"
    try check(store, "a")
    try check(store, "b")
  }

  @Test func aValueThatWasReadIsNoChange() throws {
    for transformer in ["Transformable", "Transformable { valueTransformer = 'ColorTransformer' }"] {
      let store = try TypesStore()
      store.transformer = transformer
      let script = try store.open(readOnly: false)
      for code in ["a", "b"] {
        for name in Self.attributes + ["place"] {
          try script.run("object = Thing:find '\(code)' object.\(name) = object.\(name)")
          #expect(try script.value("object.hasChanges") == "false", "\(name) of \(code), \(transformer)")
        }
      }
    }
  }

  @Test func whatOnlyTheAppEncodesIsRefusedAndTheRestIsSaved() throws {
    let store = try TypesStore()
    store.transformer = "Transformable { valueTransformer = 'ColorTransformer' }"
    let script = try store.open(readOnly: false)
    let mistake =
      "only the app's ColorTransformer can convert values for the store; set the bytes (Data) that it would write"
    #expect(script.error("Thing:find('a').tags = { 1 }")?.hasSuffix("Thing.tags: \(mistake), got [1]") == true)
    #expect(script.error("Thing:batchInsert { { code = 'c', tags = { 1 } } }")?.contains(mistake) == true)
    #expect(script.error("Thing:batchUpdate('TRUEPREDICATE', { tags = 5 })")?.contains(mistake) == true)
    try script.run("local a = Thing:find 'a' pcall(function() a.tags = 1 end) a.short = 12 save()")
    try script.run("Thing:find('b').tags = 'text' Thing:batchInsert { { code = 'c', tags = '\\xFF' } } save()")
    let again = try store.open()
    let read = "Thing:find('a').short, Thing:find('a').tags, Thing:find('b').tags, Thing:find('c').tags == '\\xFF'"
    #expect(try again.value(read) == "12 xyz text true")
    #expect(try again.value("store:sql('SELECT ZTAGS FROM ZTHING WHERE Z_PK = 2')[1].ZTAGS") == "text")
  }

  @Test func bytesOfATransformerAreCopiedAsTheyAre() throws {
    let (from, into) = (try TypesStore(), try TypesStore())
    (from.transformer, into.transformer) = (
      "Transformable { valueTransformer = 'T' }", "Transformable { valueTransformer = 'T' }"
    )
    let script = try from.open()
    script.keeps.append(into)
    try script.run("from = store \(into.script(readOnly: false)) store:sql 'DELETE FROM ZTHING' from:copy(store)")
    #expect(try script.value("store:sql('SELECT hex(ZTAGS) AS h FROM ZTHING ORDER BY ZCODE')[1].h") == "78797A")
  }

  @Test func anArchiveIsSetByItsBytes() throws {
    let script = try TypesStore().open(readOnly: false)
    try script.run("Thing:find('a').tags = { 'x', 1 } save()")
    try script.run(
      "bytes = store:sql('SELECT ZTAGS FROM ZTHING WHERE Z_PK = 1')[1].ZTAGS Thing:find('b').tags = bytes save()")
    #expect(try script.value("bytes:sub(1, 8), Thing:find('b').tags[1], Thing:find('b').tags[2]") == "bplist00 x 1")
    #expect(
      try script.value("Thing:count('tags == %@', Thing:find('b').tags), Thing:count('tags IN %@', { { 'x', 1 } })")
        == "2 2")
  }

  @Test func stringsInAPredicateAreBytesBesideData() throws {
    let script = try TypesStore().open()
    #expect(try script.value("Thing:count(\"raw == 'abc'\"), Thing:count(\"photo IN {'abc', 'x'}\")") == "1 1")
    #expect(try script.value("Thing:count(\"raw > 'abb'\"), Thing:count(\"raw BETWEEN {'abc', 'abd'}\")") == "2 1")
    #expect(script.error("Thing:count('raw == 5')")?.contains("cannot compare raw (Data) with 5") == true)
    for form in ["macro", "nspredicate", "fetchDescriptor", "fetchRequest"] {
      #expect(try script.value("Thing:where('raw == %@', 'abc'):swift '\(form)'").contains("Data(") == true, "\(form)")
    }
    #expect(try script.value("Thing:where('raw IN %@', { 'abc' }):swift 'nspredicate'").contains("Data(") == true)
  }

  @Test func objectsAreFoundByIDAndByKeyBesideAUniqueAttribute() throws {
    let script = try TypesStore().open()
    try script.run("a = Thing:find 'a'")
    #expect(
      try script.value("Thing:find(a.objectID) == a, Thing:find(a) == a, Thing:find(1) == a, Thing:find(1.0) == a")
        == "true true true true")
    #expect(try script.value("Thing:find(99), Owner:find(a.objectID), Owner:find(1) == a.owner") == "nil nil true")
    #expect(script.error("Thing:find(1.5)") == "Thing:find: expected String, as code is, got number")
  }

  @Test func anEntityWithoutAttributesHasEmptyDictionaries() throws {
    let script = try TypesStore().open()
    try script.run("request = Owner:all():with { resultType = 'dictionaries' }")
    #expect(try script.value("#request:fetch(), next(request:fetch()[1]), request:count()") == "1 nil 1")
  }

  @Test func aStoreWithoutHashesHasNoProblemWithThem() throws {
    #expect(try TypesStore().open().value("#store:verify()") == "0")
  }

  @Test func messagesOnTheHistorySayWhatIsSoAndWhatToDo() throws {
    let store = try TypesStore()
    let script = try store.open(readOnly: false)
    #expect(
      script.error("store.historyEnabled = true")?.hasSuffix(
        "only the app switches the history of a Core Data store on or off, and deletes from it; where there is one, "
          + "store:history() reads it and saves made here are added to it") == true)
    #expect(
      script.error("store:history()")?.hasSuffix("has no history: the app that made this Core Data store keeps none")
        == true)
  }
}
