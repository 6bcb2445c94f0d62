internal import LuaRuntime
internal import Modeling
internal import SQLiteStorage

extension BoundStore {
  static let verificationMembers: [Member<BoundStore>] = [
    .method(
      "verify", "store:verify() -> list of { rule = , table = , key = , text = }",
      "Checks the file against the rules of the program that made it, such as Core Data; returns the violations.",
      sandbox: .allowed, example: "()"
    ) { call, store in
      try store.checkOpen(call)
      let problems = try store.file(call.place).verify()
      let stack = call.stack
      stack.reserve(6)
      stack.pushTable(array: Int32(clamping: problems.count))
      for (number, problem) in problems.enumerated() {
        stack.pushTable(hash: 4)
        let fields: [(String, Value)] = [
          ("rule", .string(problem.rule.rawValue)), ("table", .string(problem.table)),
          ("key", problem.key.map(Value.int) ?? .null), ("text", .string(problem.sentence)),
        ]
        for (name, value) in fields where !value.isNull {
          call.engine.push(value, on: stack)
          stack.rawSet(field: name, at: -2)
        }
        stack.rawSet(element: Int64(number + 1), at: -2)
      }
      return 1
    },
    .method(
      "doctor", "store:doctor() -> table",
      "Examines the store's file: the program that made it, its integrity, the files next to it, its largest parts.",
      sandbox: .refused("it looks at files beside the store, and at processes"), example: "()"
    ) { call, store in
      try store.checkOpen(call)
      return .value(.json(DoctorReport(StoreDiagnosis(try store.file(call.place))).json))
    },
  ]
}
