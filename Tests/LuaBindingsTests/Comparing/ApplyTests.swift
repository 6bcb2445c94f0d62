import LuaBindings
import TestSupport
import Testing

/// Differences become unsaved changes.
@Suite struct ApplyTests {
  private func stores(_ first: String = "", _ second: String = "") throws -> Script {
    let script = try Script.sample()
    try script.run("other = open(':memory:', { model = store.model }) o = other.entities")
    try script.run("\(first) save() \(second) other.context:save()")
    return script
  }

  @Test func changesAreUnsavedUntilTheyAreSaved() throws {
    let script = try stores(
      "Quake { code = 'a', magnitude = 1 } Quake { code = 'b', magnitude = 2 }",
      "local q = o.Quake { code = 'b', magnitude = 3 } local n = o.Quake { code = 'n', place = 'p' } o.Report { text = 'r', quake = n }"
    )
    try script.run("counts = store:compare(other):apply(store)")
    #expect(try script.value("counts.inserted, counts.updated, counts.deleted") == "2 1 1")
    #expect(try script.value("store:compare(other).isEmpty") == "false")
    try script.run("save()")
    #expect(try script.value("store:compare(other)").contains("Quake by code: 2 equal"))
    #expect(try script.value("store:compare(other).isEmpty") == "true")
  }

  @Test func aFunctionChooses() throws {
    let script = try stores("Quake { code = 'a' } Quake { code = 'b' }", "o.Quake { code = 'b', magnitude = 3 }")
    let counts = "store:compare(other):apply(store, function(c) return c.kind == 'updated' end)"
    #expect(try script.value("(function() local c = \(counts) return c.updated, c.deleted end)()") == "1 0")
    #expect(try script.value("Quake:find('a').isDeleted, Quake:find('b').magnitude") == "false 3.0")
    #expect(script.error("store:compare(other):apply(store, function() error 'no' end)")?.contains("no") == true)
    #expect(
      script.error("store:compare(other):apply(5)") == "difference:apply: expected a store or a context, got number")
  }

  @Test func whatBecameOfTheChangesPrintsItself() throws {
    let script = try three(
      "Q:find('q1').n = 10 Q:find('q2').n = 7", "Q:find('q1').n = 11 Q:find('q1').text = 'u' Q:find('q3').n = 30")
    #expect(
      try script.value(
        "(function() mine.context.mergePolicy = 'rollback' return base:compare(theirs):apply(mine) end)()")
          == """
          0 inserted, 1 updated, 0 deleted
          left as it is: Q q1: n is 10, expected 1, to become 11
          """)
    try script.run(
      "mine.context:rollback() mine.context.mergePolicy = 'storeTrump' a = base:compare(theirs):apply(mine)")
    #expect(try script.value("a.updated, #a.refused, a.refused[1]") == "2 1 Q q1: n is 10, expected 1, to become 11")
  }

  @Test func objectsThatCannotBeComparedAreRefusedWithTheReason() throws {
    let script = try Script()
    try script.run(
      """
      local model = Model { Q = Entity { code = String, n = Int } }
      a, b = open(":memory:", { model = model }), open(":memory:", { model = model })
      b.entities.Q { code = "x", n = 1 } b.entities.Q { code = "x", n = 2 } b.entities.Q { n = 3 }
      b.context:save()
      applied = a:compare(b, { by = "code" }):apply(a)
      """)
    #expect(
      try script.value("applied") == """
        1 inserted, 0 updated, 0 deleted
        left as it is: ! Q 3: a value of its identity is nil in the second store; it is not compared
        left as it is: ! Q x: the second store has several of this identity; it is not compared
        """)
  }

  @Test func newObjectsLeadToOneAnother() throws {
    let script = try Script()
    try script.run(
      """
      local model = Model {
        Node = Entity {
          name = String { unique = true }, next = ToOne "Node" { inverse = "former" }, former = ToOne "Node" { inverse = "next" },
          parent = ToOne "Node" { inverse = "children" }, children = ToMany "Node" { inverse = "parent", ordered = true },
        },
        Mark = Entity { node = ToOne "Node" { unidirectional = true }, text = String },
      }
      a, b = open(":memory:", { model = model }), open(":memory:", { model = model })
      local x, y = b.entities.Node { name = "x" }, b.entities.Node { name = "y" }
      x.next, y.next = y, x
      x.children = { y, b.entities.Node { name = "z" } }
      b.entities.Mark { node = x, text = "m" }
      b.context:save()
      a:compare(b):apply(a)
      a.context:save()
      """)
    #expect(try script.value("a:compare(b).isEmpty, b:compare(a).isEmpty") == "true true")
    try script.run(
      "b.entities.Node:find('x').children = { b.entities.Node:find 'z', b.entities.Node:find 'y' } b.context:save()")
    #expect(try script.value("a:compare(b).updated[1]").contains("~ Node x: children moved"))
    try script.run("a:compare(b):apply(a) a.context:save()")
    #expect(try script.value("a:compare(b).isEmpty") == "true")
  }

  @Test func whatIsThereAlreadyIsNoChange() throws {
    let script = try stores(
      "Quake { code = 'a', magnitude = 1 }", "o.Quake { code = 'a', magnitude = 2 } o.Quake { code = 'b' }")
    try script.run("d = store:compare(other) d:apply(store) d:apply(store)")
    #expect(try script.value("#context.insertedObjects, #context.updatedObjects") == "1 1")
    #expect(try script.value("d:apply(other).inserted") == "0")
    #expect(try script.value("other.context.hasChanges") == "false")
  }

  // MARK: Three stores

  /// `base`, with a change in `mine` and another in `theirs`.
  private func three(_ mine: String, _ theirs: String) throws -> Script {
    let script = try Script()
    try script.run(
      """
      local model = Model { Q = Entity { code = String { unique = true }, n = Int, text = String } }
      local function make(change)
        local s = open(":memory:", { model = model })
        for i = 1, 3 do s.entities.Q { code = "q" .. i, n = i, text = "t" } end
        s.context:save()
        change(s.entities.Q)
        s.context:save()
        return s
      end
      base = make(function() end)
      mine = make(function(Q) \(mine) end)
      theirs = make(function(Q) \(theirs) end)
      function merge(policy)
        mine.context.mergePolicy = policy or "error"
        base:compare(theirs):apply(mine)
        mine.context:save()
        local lines = {}
        for q in mine.entities.Q:sorted("code"):each() do lines[#lines + 1] = q.code .. q.n .. q.text end
        return table.concat(lines, " ")
      end
      """)
    return script
  }

  @Test func changesOfDifferentPropertiesAreMerged() throws {
    let script = try three(
      "Q:find('q1').n = 10 Q { code = 'm', n = 0, text = '' }", "Q:find('q1').text = 'u' Q:find('q3'):delete()")
    #expect(try script.value("merge()") == "m0 q110u q22t")
  }

  @Test(arguments: [
    ("storeTrump", "q110u q22t q33t"), ("objectTrump", "q111u q22t q33t"), ("overwrite", "q111u q22t q33t"),
    ("rollback", "q110t q22t q33t"),
  ])
  func theMergePolicySettlesConflicts(_ policy: String, _ wanted: String) throws {
    let script = try three("Q:find('q1').n = 10", "Q:find('q1').n = 11 Q:find('q1').text = 'u'")
    #expect(script.error("merge()") == "Q q1: n is 10, expected 1, to become 11")
    #expect(try script.value("mine.context.hasChanges") == "false")
    #expect(try script.value("merge('\(policy)')") == wanted)
  }

  @Test func conflictsAreListedAsThoseOfASave() throws {
    let script = try three(
      "Q:find('q1').n = 10 Q:find('q2'):delete() Q { code = 'x', n = 1, text = '' }",
      "Q:find('q1'):delete() Q:find('q2').n = 5 Q { code = 'x', n = 2, text = '' }")
    #expect(
      script.error("merge()") == """
        3 objects are not as expected:
          Q q1 is to be deleted: n is 10, expected 1
          Q q2 is not there, and has changes of n
          Q x is to be inserted and is there: n is 1, not 2
        """)
    #expect(
      try script.value(
        "(function() local _, e = pcall(merge) local d = e.details[1] return e.kind, d.entity, d.property, d.base, d.theirs end)()"
      )
        == "conflict Q n 1 10")
    #expect(try script.value("merge('storeTrump')") == "q110t q33t x1")
  }

  @Test(arguments: ["error", "objectTrump", "overwrite"])
  func changesOfAnObjectThatIsGoneAreRefusedUnlessTheStoreDecides(_ policy: String) throws {
    let script = try three("Q:find('q2'):delete()", "Q:find('q2').n = 5")
    #expect(script.error("merge('\(policy)')") == "Q q2 is not there, and has changes of n")
    #expect(try script.value("merge('storeTrump')") == "q11t q33t")
  }
}
