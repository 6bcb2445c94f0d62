import Foundation
import TestSupport
import Testing

@testable import LuaBindings

/// A context or a store that scripts drop goes; one that anything still uses stays and is good for use.
@Suite struct DroppedContextTests {
  @Test func aDroppedContextGoesWithItsUnsavedChanges() throws {
    let script = try Script.sample()
    try script.run("do local c = store:newContext() c.entities.Quake { code = 'lost' } c:newChild() end")
    #expect(script.engine.stores.unsavedChangeCount == 1)
    script.collect()
    #expect(script.contextCount == 1)
    #expect(script.engine.stores.unsavedChangeCount == 0)
    #expect(try script.value("Quake:count()") == "0")
  }

  /// What keeps a context: how it is made of the context `c`, what must still answer, and how it is dropped.
  struct Holder: CustomTestStringConvertible, Sendable {
    var make: String
    var read: String
    var answer: String
    var drop = ""
    /// How many contexts there are meanwhile, with the main one.
    var count = 2

    var testDescription: String { make }
  }

  static let holders = [
    Holder(make: "kept = c", read: "kept.hasChanges", answer: "true"),
    Holder(make: "kept = c:newChild()", read: "kept.parent.hasChanges", answer: "true", count: 3),
    Holder(
      make: "local k = c:newChild() kept = k.entities.Quake:find 'a'", read: "kept.context.parent.hasChanges",
      answer: "true", count: 3),
    Holder(make: "kept = c.entities", read: "kept.Quake:count()", answer: "3"),
    Holder(make: "kept = c.entities.Quake", read: "kept:count()", answer: "3"),
    Holder(make: "kept = c.entities.Quake.computed", read: "kept.nothing", answer: "nil"),
    Holder(make: "kept = q", read: "kept.code, kept.magnitude, kept.context.hasChanges", answer: "a 7.0 true"),
    Holder(make: "kept = q.reports", read: "#kept, kept[1].text", answer: "1 r"),
    Holder(make: "kept = q.reports:each()", read: "kept().text", answer: "r"),
    Holder(make: "kept = Bindable(q).magnitude", read: "kept.value", answer: "7.0"),
    Holder(make: "kept = Bindable(q)", read: "kept.magnitude.value", answer: "7.0"),
    Holder(make: "kept = pairs(q)", read: "kept()", answer: "code a"),
    Holder(make: "kept = c.entities.Quake:all()", read: "kept:count()", answer: "3"),
    Holder(make: "kept = c.entities.Quake:all():sorted('code'):fetch()", read: "kept[1].code", answer: "a"),
    Holder(make: "kept = c.entities.Quake:all():sorted('code'):fetch():each()", read: "kept().code", answer: "a"),
    Holder(
      make: "kept = { c.entities.Quake:where('code != \"new\"'):sorted('code'):each() }", read: "kept[1]().code",
      answer: "a"),
    Holder(
      make: "kept = c.entities.Quake:all():with({ resultType = 'objectIDs' }):each()",
      read: "kept() ~= nil", answer: "true", count: 1),
    Holder(make: "kept = c.entities.Quake:all():sorted('code'):live()", read: "#kept, kept[1].code", answer: "3 a"),
    Holder(
      make: "kept = c.entities.Quake:all():sorted('code'):live() kept:close()",
      read: "#kept, kept[1].code", answer: "3 a"),
    Holder(
      make: "kept = Query { entity = c.entities.Quake, sectionBy = 'place', sort = 'place' }.sections[1]",
      read: "#kept", answer: "3"),
    Holder(make: "kept = c.entities.Quake:all():explain()", read: "kept ~= nil", answer: "true", count: 1),
    Holder(make: "kept = c:on('willSave', function() end)", read: "kept ~= nil", answer: "true", drop: "kept:cancel()"),
    Holder(make: "kept = c:on('didSave', function() end)", read: "kept ~= nil", answer: "true"),
    Holder(
      make: "kept = c:on('objectsDidChange', function() end)", read: "kept ~= nil", answer: "true",
      drop: "kept:cancel()"),
    Holder(
      make: "kept = c.entities.Quake:on('insert', function() end)", read: "kept ~= nil", answer: "true",
      drop: "kept:cancel()"),
    Holder(
      make: "kept = q:observe('magnitude', function() end)", read: "kept ~= nil", answer: "true", drop: "kept:cancel()"),
    Holder(
      make: "kept = c.entities.Quake:all():live():onChange(function() end)", read: "kept ~= nil", answer: "true",
      drop: "kept:cancel()"),
    Holder(
      make: "kept = after(1000, function() return c end)", read: "kept ~= nil", answer: "true", drop: "kept:cancel()"),
    Holder(
      make: "kept = effect(function() seen = q.magnitude end)", read: "seen", answer: "7.0",
      drop: "kept:cancel()"),
    Holder(
      make:
        "kept = coroutine.wrap(function() for x in c.entities.Quake:all():sorted('code'):each() do coroutine.yield(x.code) end end) kept()",
      read: "kept()", answer: "b"),
  ]

  @Test(arguments: holders) func whatUsesAContextKeepsIt(holder: Holder) throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a' } Quake { code = 'b' } save()")
    try script.run(
      """
      do
        local c = store:newContext()
        local q = c.entities.Quake:find 'a'
        q.magnitude = 7
        q.reports:add(c.entities.Report { text = 'r' })
        c.entities.Quake { code = 'new' }
        \(holder.make)
      end
      """)
    script.collect()
    #expect(script.contextCount == holder.count)
    #expect(try script.value("return \(holder.read)") == holder.answer)
    script.collect()
    #expect(script.contextCount == holder.count)
    try script.run("\(holder.drop) kept = nil")
    script.collect()
    #expect(script.contextCount == 1)
    #expect(try script.value("Quake:count()") == "2")
  }

  @Test func aContextThatIsToSaveByItselfIsSavedFirst() throws {
    let script = try Script.sample()
    try script.run("do local c = store:newContext { autosave = true } c.entities.Quake { code = 'a' } end")
    // What others save has dropped contexts forgotten, too.
    try script.run("for _ = 1, 3 do collectgarbage() Quake { code = 'b' .. Quake:count() } save() end")
    #expect(script.contextCount == 2)
    script.collect()
    #expect(try script.value("Quake:count()") == "4")
    #expect(script.contextCount == 1)
  }

  @Test func aContextIsKeptWhileItRunsABlock() throws {
    let script = try Script.sample()
    try script.run(
      """
      Quake { code = 'a' } save()
      local c = store:newContext()
      local perform = c.perform
      perform(c, function()
        c = nil
        for i = 1, 40 do store:newContext() collectgarbage() save() end
        count = #'x'
      end)
      """)
    script.collect()
    #expect(script.contextCount == 1)
  }

  @Test func whatADroppedContextHasReadIsStillTold() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a' } Quake { code = 'b' } save()")
    script.engine.reads.recordsLines = true
    try script.run("for i = 1, 3 do local n = #store:newContext().entities.Quake:find('a').reports end")
    let counted = script.engine.reads.lines.reduce(0) { $0 + $1.statements }
    #expect(counted >= 3)
    script.collect()
    #expect(script.contextCount == 1)
    #expect(script.engine.reads.lines.reduce(0) { $0 + $1.statements } == counted)
    script.engine.reads.recordsLines = true
    #expect(script.engine.reads.lines.isEmpty)
  }

  // MARK: Stores

  @Test func anObjectOfAClosedStoreKeepsSayingSo() throws {
    let script = try Script.sample()
    try script.run(
      """
      do
        local s = open(":memory:", { model = store.model })
        s:newContext()
        local q = s.entities.Quake { code = 'a' }
        local r = s:newContext().entities.Quake { code = 'b' }
        s:close()
        one, other = q, r
      end
      """)
    script.collect()
    #expect(script.engine.stores.closed.count == 1)
    for name in ["one", "other"] {
      #expect(script.error("return \(name).code") == "Quake: the store is closed")
      #expect(try script.value("\(name)") == "Quake of a closed store")
    }
    try script.run("one = nil")
    script.collect()
    #expect(script.error("other.code = 'x'") == "Quake: the store is closed")
    try script.run("other = nil")
    script.collect()
    #expect(script.engine.stores.closed.isEmpty)
  }

  @Test func savesLookAtFewContextsHoweverManyWereDropped() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a' } save()")
    var most = 0
    for _ in 0..<100 {
      try script.run("for i = 1, 100 do store:newContext().entities.Quake:find 'a' end")
      most = max(most, script.contextCount)
    }
    // As many as the collector has not come to, never all.
    #expect(most < 3000)
    try script.run("collectgarbage() Quake { code = 'b' } save()")
    #expect(script.contextCount == 1)
  }

  @Test func contextsThatAreHeldStayAndAreNotLookedAtTooOften() throws {
    let script = try Script.sample()
    try script.run(
      "held = {} for i = 1, 500 do held[i] = store:newContext() store:newContext() if i % 50 == 0 then collectgarbage() end end"
    )
    #expect(script.contextCount < 1 + 2 * 500 + 1)
    script.collect()
    #expect(script.contextCount == 501)
    #expect(try script.value("held[1].hasChanges, held[500].hasChanges") == "false false")
  }

  @Test func theFilesAndWatchesOfAClosedStoreAreClosed() throws {
    let directory = try TemporaryFolder()
    let script = try Script.sample()
    for round in 1...4 {
      try script.run(
        """
        s = open("\(directory.path)/\(round).sqlite", { create = true, model = store.model })
        live = s.entities.Quake:all():live()
        token = live:onChange(function() end)
        remote = s:on("remoteChange", function() end)
        s.entities.Quake { code = 'a' } s.context:save()
        """)
      _ = script.engine.turns.end()
      #expect(try Self.watches(in: directory.path) == 1)
      try script.run("s:close()")
      #expect(try Self.watches(in: directory.path) == 0)
      try script.run("s, live, token, remote = nil")
      script.collect()
      #expect(try Self.files(in: directory.path) == 0)
      #expect(script.engine.stores.closed.isEmpty)
    }
  }

  /// How many of the process's descriptors are files in a folder; other tests have theirs open meanwhile.
  private static func files(in folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { descriptor in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return target?.hasPrefix(folder) == true
    }.count
  }

  /// The number of them to which the kernel reports changes of a folder or of files in it.
  private static func watches(in folder: String) throws -> Int {
    let manager = FileManager.default
    let watched = [folder] + (try manager.contentsOfDirectory(atPath: folder)).map { "\(folder)/\($0)" }
    let nodes = try watched.map {
      let number = try manager.attributesOfItem(atPath: $0)[.systemFileNumber] as? Int ?? 0
      return "ino:" + String(number, radix: 16) + " "
    }
    return try manager.contentsOfDirectory(atPath: "/proc/self/fdinfo").filter { descriptor in
      let info = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
      return info?.split(separator: "\n").contains { line in
        line.hasPrefix("inotify ") && nodes.contains { line.contains($0) }
      } == true
    }.count
  }
}

extension Script {
  /// How many contexts the open stores hold.
  var contextCount: Int { engine.stores.all.reduce(0) { $0 + $1.contexts.count } }

  /// Collects garbage and ends a turn, until nothing more can go.
  func collect() {
    for _ in 0..<2 {
      engine.lua.collectGarbage()
      for error in engine.turns.end() { Issue.record("\(engine.report(error).message)") }
    }
  }
}
