internal import Stores

extension BoundStore {
  static let verificationMembers: [Member<BoundStore>] = [
    .method(
      "verify", "store:verify() -> list of { rule = , table = , key = , text = }",
      "Checks the store against the rules of the program that made it, such as Core Data; returns the violations.",
      sandbox: .allowed, example: "()"
    ) { call, store in
      try store.checkOpen(call)
      let problems = try store.objectStore.verify()
      return .list(
        problems.map { problem in
          .record([
            ("rule", .text(problem.rule.rawValue)), ("table", .text(problem.table)),
            ("key", .integer(problem.key.map(Int.init))), ("text", .text(problem.sentence)),
          ])
        })
    },
    .method(
      "doctor", "store:doctor() -> table",
      "Examines the store: the program that made it, its integrity, the files next to it, its largest parts.",
      sandbox: .refused("it looks at files beside the store, and at processes"), example: "()"
    ) { call, store in
      try store.checkOpen(call)
      return .value(.json(DoctorReport(store.objectStore.examine()).json))
    },
  ]
}
