import Testing

/// Two processes that write the same objects of one store.
@Suite struct TwoProcessTests {
  /// `counters.lua make` makes three counters, `counters.lua POLICY ROUNDS NAME` counts one of their properties up, and
  /// with `upsert` for a policy makes numbered counters, whether or not they are there.
  private static let script = """
    local policy, rounds, name = ...
    if policy == "make" then
      local model = Model {
        Counter = Entity { name = String { unique = true }, a = Int { default = 0 }, b = Int { default = 0 } },
      }
      local store <close> = open("counters.sqlite", { create = true, model = model })
      for i = 1, 3 do store.entities.Counter { name = "c" .. i } end
      store.context:save()
      return
    end
    local store <close> = open("counters.sqlite", { busyTimeout = 20 })
    local context, Counter = store.context, store.entities.Counter
    if policy == "upsert" then
      context.mergePolicy = "objectTrump"
      for round = 1, rounds do
        Counter { name = "n" .. round, [name] = round }
        context:save()
      end
      return print "done"
    end
    context.mergePolicy = policy
    local conflicts = 0
    for round = 1, rounds do
      while true do
        for i = 1, 3 do
          local counter = Counter:find("c" .. i)
          counter:set(name, counter:value(name) + 1)
        end
        local ok, err = pcall(context.save, context)
        if ok then break end
        if err.kind ~= "conflict" then error(err) end
        conflicts = conflicts + 1
        context:rollback()
      end
    end
    print(conflicts)
    """

  private func run(_ commands: [String]) throws -> String {
    let program = try BuiltProgram()
    #expect(try program.run(script: Self.script, name: "counters.lua", ["make"]).status == 0)
    let both = commands.map { "perilune counters.lua \($0) &" }.joined(separator: " ") + " wait"
    let result = try program.shell(["sh", "-c", both])
    #expect(result.errors == "")
    #expect(result.output.split(separator: "\n").count == 2)
    return try program.run(["counters.sqlite", "-e", "print(Counter:all():sum 'a', Counter:all():sum 'b')"]).output
  }

  @Test func noIncrementIsLostWhenConflictsAreTriedAgain() throws {
    #expect(try run(["error 60 a", "error 60 a"]) == "360\t0\n")
  }

  @Test func newObjectsOfTwoWritersWithOneUniqueValueBecomeOne() throws {
    #expect(try run(["upsert 60 a", "upsert 60 b"]) == "1830\t1830\n")
  }

  @Test func propertiesOfTwoWritersMergeWithoutTryingAgain() throws {
    #expect(try run(["objectTrump 60 a", "objectTrump 60 b"]) == "180\t180\n")
  }

  @Test func processesThatMakeOneStoreAtOnceAllWriteToIt() throws {
    let program = try BuiltProgram()
    try program.write(
      "make.lua",
      """
      local model = Model { Entry = Entity { name = String { unique = true }, _ = { indexes = { { "name" } } } } }
      local store <close> = open(arg[1], { create = true, model = model })
      store.entities.Entry { name = arg[2] }
      store.context:save()
      """)
    for round in 1...4 {
      let store = "store\(round).sqlite"
      let all = (1...5).map { "perilune make.lua \(store) \($0) &" }.joined(separator: " ") + " wait"
      #expect(try program.shell(["sh", "-c", all]).errors == "")
      #expect(try program.run([store, "-e", "Entry:count()"]).output == "5\n")
    }
  }

  @Test func aStorageNoticesWhatAnotherProcessWritesWhileItRuns() throws {
    let program = try BuiltProgram()
    let result = try program.run(
      script: """
        if arg[1] then
          AppStorage("minimum", 1).value = tonumber(arg[1])
          return
        end
        local minimum = AppStorage("minimum", 1)
        minimum:onChange(function(new, old)
          print(old, new)
          if new == 9 then stopLoop() else os.execute "perilune watcher.lua 9 &" end
        end)
        effect(function() print("effect", minimum.value) end)
        after(0, function() os.execute "perilune watcher.lua 7" end)
        runLoop { seconds = 20 }
        """, name: "watcher.lua")
    #expect(result.output == "effect\t1\n1\t7\neffect\t7\n7\t9\neffect\t9\n")
    #expect(result.errors == "")
  }
}
