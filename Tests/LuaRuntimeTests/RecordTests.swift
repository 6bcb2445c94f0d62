import Testing

@testable import LuaRuntime

/// Rows of two columns that records read and write by number.
private final class Rows {
  var magnitudes: [Double] = [0, 5.5, 6.5]
  var notes: [String: Int64] = [:]

  static func of(_ context: UnsafeMutableRawPointer?) -> Rows {
    Unmanaged<Rows>.fromOpaque(context!).takeUnretainedValue()
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  var access: LuaRecordAccess {
    LuaRecordAccess(
      get: { thread, payload, property, context in
        let stack = LuaStack(thread)
        let row = payload.load(as: Int.self)
        switch property {
        case 0: stack.push(Rows.of(context).magnitudes[row])
        case 1: stack.push(row)
        default: return stack.raise(LuaError("no such property"))
        }
        return 1
      },
      set: { thread, payload, property, context in
        let stack = LuaStack(thread)
        guard property == 0, let value = stack.number(at: 3) else { return stack.raise(LuaError("cannot assign")) }
        Rows.of(context).magnitudes[payload.load(as: Int.self)] = value
        return 0
      },
      missingGet: { thread, context in
        let stack = LuaStack(thread)
        guard stack.count == 2, let name = stack.string(at: 2) else { return stack.raise(LuaError("no key")) }
        stack.push(Rows.of(context).notes[name] ?? -1)
        return 1
      },
      missingSet: { thread, context in
        let stack = LuaStack(thread)
        guard stack.count == 3, let name = stack.string(at: 2) else { return stack.raise(LuaError("no key")) }
        Rows.of(context).notes[name] = stack.integer(at: 3)
        return 0
      },
      context: context)
  }
}

@Suite struct RecordTests {
  private func withRecords(_ body: (LuaState, LuaRecordClass<Int>, Rows) throws -> Void) throws {
    let rows = Rows()
    try withState { state in
      let records = LuaRecordClass<Int>(state, name: "Quake", access: rows.access) { definition in
        definition.property("magnitude", id: 0)
        definition.property("row", id: 1)
        definition.property("broken", id: 2)
        definition.method("double") { stack in
          stack.push(2)
          try stack.get(field: "magnitude", at: 1)
          try stack.calculate(.multiply)
          return 1
        }
        definition.metamethod(.toString) { stack in
          stack.push("a quake")
          return 1
        }
      }
      records.push(1, on: state.stack)
      state.setGlobal("q")
      try body(state, records, rows)
    }
    withExtendedLifetime(rows) {}
  }

  @Test func propertiesAreReadAndAssignedByNumber() throws {
    try withRecords { state, _, rows in
      try state.run(
        """
        assert(q.magnitude == 5.5 and q.row == 1)
        q.magnitude = 7
        assert(q.magnitude == 7 and q:double() == 14 and tostring(q) == 'a quake')
        assert(getmetatable(q) == 'Quake')
        """)
      #expect(rows.magnitudes[1] == 7)
      #expect(state.failure(of: "q.magnitude = {}")?.message == "test:1: cannot assign")
      #expect(state.failure(of: "return q.broken")?.message == "test:1: no such property")
    }
  }

  @Test func otherKeysGoToTheFallbacks() throws {
    try withRecords { state, _, rows in
      try state.run("assert(q.note == -1) q.note = 12 assert(q.note == 12) q.double = 3")
      #expect(rows.notes == ["note": 12, "double": 3], "assigning to a method's name is no property")
      #expect(state.failure(of: "return q[{}]")?.message == "test:1: no key")
      #expect(state.failure(of: "q[nil] = 1")?.message == "test:1: no key")
    }
  }

  @Test func membersMayBeAddedLater() throws {
    try withRecords { state, records, _ in
      state.stack.pushFunction { stack in
        stack.push("strong")
        return 1
      }
      records.setMember("describe", on: state.stack)
      records.setProperty("number", id: 1, on: state.stack)
      #expect(state.text(of: "return q:describe() .. q.number") == "strong1")
      state.stack.pushNil()
      records.setMember("describe", on: state.stack)
      #expect(state.text(of: "return q.describe") == "-1")
      #expect(state.stack.count == 0)
    }
  }

  @Test func `a property is found by its name among many names and long ones`() throws {
    try withRecords { state, records, rows in
      let names = (0..<300).map { "p\($0)" } + (100..<110).map { String(repeating: "long", count: $0) }
      for name in names { records.setProperty(name, id: 1, on: state.stack) }
      for name in names {
        #expect(state.text(of: "return q.\(name)") == "1")
        #expect(state.text(of: "return q[table.concat { '\(name.prefix(2))', '\(name.dropFirst(2))' }]") == "1")
      }
      #expect(state.text(of: "return q.magnitude") == "5.5")
      for name in names { records.setProperty(name, id: 0, on: state.stack) }
      for name in names { try state.run("q.\(name) = q.\(name) + 1") }
      #expect(rows.magnitudes[1] == 5.5 + Double(names.count))
    }
  }

  @Test func `a name that was taken away is no property, even if another string gets its place in memory`() throws {
    try withRecords { state, records, _ in
      for round in 0..<200 {
        records.setProperty("former\(round)", id: 1, on: state.stack)
        #expect(state.text(of: "return q.former\(round)") == "1")
        state.stack.pushNil()
        records.setMember("former\(round)", on: state.stack)
        #expect(state.text(of: "return q.former\(round)") == "-1")
        state.collectGarbage()
        #expect(state.text(of: "return q['newer' .. \(round)]") == "-1")
      }
    }
  }

  @Test func aRecordIsKnownByItsClassAlone() throws {
    try withRecords { state, records, rows in
      let others = LuaRecordClass<Int>(state, name: "Other", access: rows.access)
      let stack = state.stack
      records.push(2, on: stack)
      stack.push(2)
      #expect(records.payload(at: 1, on: stack) == 2)
      #expect(others.payload(at: 1, on: stack) == nil && records.payload(at: 2, on: stack) == nil)
      #expect(records.payload(at: 9, on: stack) == nil)
    }
  }

  @Test func weakSlotsGiveTheSameRecordUntilItIsCollected() throws {
    try withRecords { state, records, _ in
      let stack = state.stack
      let known = LuaWeakArray(state, capacity: 8)
      func push(_ slot: Int) { records.push(slot, knownAs: slot, in: known, on: stack) }
      push(1)
      push(1)
      push(2)
      #expect(stack.rawEqual(1, 2) && !stack.rawEqual(1, 3))
      #expect(stack.count == 3)
      stack.remove(at: -1)
      state.collectGarbage()
      #expect(known.isAlive(1, on: stack) && !known.isAlive(2, on: stack) && !known.isAlive(100, on: stack))
      known.clear(1, on: stack)
      #expect(!known.isAlive(1, on: stack) && stack.count == 2)
      for slot in 1...10_000 {
        push(slot)
        stack.pop()
      }
      state.collectGarbage()
      #expect((2...10_000).allSatisfy { !known.isAlive($0, on: stack) })
      #expect(stack.count == 2)
    }
  }
}
