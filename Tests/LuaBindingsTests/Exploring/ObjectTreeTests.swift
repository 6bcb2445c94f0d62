import LuaBindings
import Testing

/// The tree of what an object relates to.
@Suite struct ObjectTreeTests {
  /// Three people who know each other in a circle, and one of whom has seven letters.
  private static func script() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { create = true, model = Model {
        Person = Entity { name = String, friend = ToOne "Person" { inverse = "admirers" },
          admirers = ToMany "Person" { inverse = "friend" }, letters = ToMany "Letter" { inverse = "writer" },
          _ = { order = { "name", "friend", "admirers", "letters" } } },
        Letter = Entity { title = String, writer = ToOne "Person" { inverse = "letters" } },
      } }))
      ann, bob, cid = Person { name = "Ann" }, Person { name = "Bob" }, Person { name = "Cid" }
      ann.friend, bob.friend, cid.friend = bob, cid, ann
      for i = 1, 7 do Letter { title = "L" .. i, writer = bob } end
      save()
      """)
    return script
  }

  @Test func theTreeNamesRelationshipsCountsAndTitlesAndEntersEachObjectOnce() throws {
    let script = try Self.script()
    let letters = (1...5).map { "      Letter L\($0)\n" }.joined()
    #expect(
      try script.value("tostring(ann:tree())")
        == "Person Ann\n  friend: Person Bob\n    friend: Person Cid\n    admirers: 1\n      Person Ann (above)\n"
        + "    letters: 7\n\(letters)      … 2 more\n  admirers: 1\n    Person Cid\n      friend: Person Ann (above)\n"
        + "      admirers: 1\n        Person Bob (above)")
    #expect(
      try script.value("tostring(ann:tree { depth = 1 })")
        == "Person Ann\n  friend: Person Bob\n  admirers: 1\n    Person Cid")
    #expect(try script.value("tostring(Person { name = 'Dan' }:tree())") == "Person Dan")
  }

  @Test func aTreeIsAListOfItsLines() throws {
    let script = try Self.script()
    try script.run("t = ann:tree { depth = 6 }")
    #expect(try script.value("t[1].object == ann and t[2].object == bob and t[2].relationship") == "friend")
    let told = try script.value(
      """
      (function()
        local seen, above, more = {}, 0, 0
        for _, line in ipairs(t) do
          if line.more then more = more + line.more end
          if line.isAbove then above = above + (seen[line.object.name] and 1 or 1000) end
          if line.object and line.object.entity.name == "Person" then seen[line.object.name] = true end
        end
        return above .. " " .. more
      end)()
      """)
    // Back from Bob and Cid to whom they admire, from each of five letters, and from Ann to Cid.
    #expect(told.hasSuffix(" 2") && !told.hasPrefix("1000"), "\(told)")
  }

  @Test func aTitleWithLineBreaksStaysOnItsLine() throws {
    let script = try Self.script()
    try script.run("cid.name = 'C\\ni\\nd'")
    #expect(try script.value("select(2, tostring(ann:tree { depth = 1 }):gsub('\\n', ''))") == "3")
  }

  @Test func aTreeOfManyLinesIsCutAndSaysSo() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { create = true, model = Model {
        Node = Entity { name = String, parent = ToOne "Node" { inverse = "nodes" },
          nodes = ToMany "Node" { inverse = "parent" } },
      } }))
      local function grow(node, depth)
        if depth == 0 then return end
        for i = 1, 5 do grow(Node { name = node.name .. i, parent = node }, depth - 1) end
      end
      root = Node { name = "n" }
      grow(root, 4)
      """)
    #expect(try script.value("#root:tree { depth = 4 }") == "1000")
    #expect(try script.value("tostring(root:tree { depth = 4 }):match('[^\\n]+$')").contains("more than 1,000 lines"))
  }

  @Test func mistakesOfATreeAreNamed() throws {
    let script = try Self.script()
    for (call, message) in [
      ("ann:tree { depth = 0 }", "1 to 6"), ("ann:tree { depth = 7 }", "1 to 6"), ("ann:tree { dept = 2 }", "depth"),
      ("ann:tree(3)", "a table of options"), ("(function() ann:delete() save() return ann:tree() end)()", "deleted"),
    ] {
      let error = script.error(call) ?? ""
      #expect(error.contains(message), "\(call): \(error)")
    }
  }
}
