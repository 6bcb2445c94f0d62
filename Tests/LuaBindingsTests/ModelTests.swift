import Testing

@Suite struct ModelTests {
  @Test func aModelKnowsItsEntities() throws {
    let script = try Script()
    try script.run("model = Model { B = Entity { x = Int }, A = Entity { b = ToOne 'B' } }")
    #expect(try script.value("model, model.entityNames[1]") == "model of 2 entities: A, B A")
    #expect(
      try script.value("Model { B = Entity { x = Int }, A = Entity {}, _ = { order = { 'B' } } }.entityNames[1]") == "B"
    )
  }

  @Test func conditionsOfElementsHoldForTheCompositesThatHaveThem() throws {
    let script = try Script()
    try script.run(
      """
      local kind = Composite { kind = String { validation = { "SELF IN {'a', 'b'}" } }, compositeName = "Kind" }
      local size = Composite { kind = kind, n = Int { validation = { { "SELF > 2", warning = "too small" } } } }
      use(open(":memory:", { model = Model { Item = Entity { kind = kind, size = size } } }))
      item = Item { kind = { kind = "a" }, size = { n = 3 } } save()
      """)
    #expect(script.error("item.kind = { kind = 'c' } save()") == "Item 1: kind.kind: expected SELF IN {'a', 'b'}")
    #expect(script.error("rollback() item.size = { n = 1 } save()") == "Item 1: size.n: too small")
    let nested = script.error("rollback() item.size = { kind = { kind = 'c' } } save()")
    #expect(nested == "Item 1: size.kind.kind: expected SELF IN {'a', 'b'}")
    #expect(script.error("rollback() item.kind = {} item.size = nil save() item.kind = { kind = 'b' } save()") == nil)
  }

  @Test func mistakesInAModelNameTheNearestWord() throws {
    let script = try Script()
    #expect(script.error("String { uniqe = true }") == "String: there is no option 'uniqe'; did you mean 'unique'?")
    #expect(script.error("String { unique = 1 }") == "String: unique: expected a boolean, got number")
    #expect(
      script.error("ToMany 'Report' { invers = 'quake' }")
        == "ToMany: there is no option 'invers'; did you mean 'inverse'?")
    #expect(
      script.error("ToMany 'R' { deleteRule = 'casacde' }")
        == #"ToMany: deleteRule: expected one of "noAction", "nullify", "cascade" or "deny", got "casacde""#)
    #expect(
      script.error("ToOne 'R' { ordered = true }")?.hasPrefix("ToOne: there is no option 'ordered'")
        == true)
    #expect(script.error("ToOne(5)") == "ToOne: expected the name of an entity, got number")
    #expect(
      script.error("Entity { x = 5 }")
        == "Entity: x: expected an attribute type, ToOne, ToMany or FetchedProperty, got number")
    #expect(
      script.error("Entity { x = Int, _ = { oder = {} } }")
        == "Entity: there is no option 'oder'; did you mean 'order'?")
    #expect(script.error("Entity { x = Int, _ = { order = { 'y' } } }") == "the entity has no 'y'")
    #expect(script.error("Entity { Int }") == "Entity: expected properties by name, got a field of type number")
    #expect(script.error("Model { A = 5 }") == "Model: A: expected Entity { ... }, got number")
    #expect(
      script.error("Model { A = Entity { b = ToOne 'Bee' }, Bea = Entity {} }")
        == "A.b: it leads to 'Bee', but there is no such entity; did you mean 'Bea'?")
    #expect(
      script.error("Model { A = Entity { n = Int { default = 'x' } } }")
        == "A.n: its default is a String, not an Integer64")
    #expect(
      script.error("Model { A = Entity { n = Int, _ = { unique = { { 'm' } } } } }")
        == "A: 'unique' names 'm', which is not a property")
    #expect(script.error("Derived { 'day(time)' }") == "Derived: type is missing")
    #expect(script.error("Derived { type = String }") == "Derived: the expression, such as \"day(time)\", is missing")
  }
}
