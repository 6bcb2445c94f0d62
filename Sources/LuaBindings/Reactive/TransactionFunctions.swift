internal import LuaRuntime
internal import Reactive

/// The functions that run changes in a transaction: `withAnimation("easeIn", fn)`.
enum TransactionFunctions {
  static let entries = CatalogEntry.options(
    of: "withTransaction",
    example: #"withTransaction({ animation = "easeIn" }, function() Quake:first().magnitude = 5 end)"#,
    [
      ("animation", "The animation of the changes; \"none\" for none."),
      ("disablesAnimations", "true to leave observers' own animations out, too."),
    ])

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "withAnimation", "withAnimation([name,] function) -> results",
      "Calls a function and tells observers what it has changed, with an animation's name; \"none\" for none.",
      sandbox: .allowed, example: #"withAnimation("easeIn", function() Quake:first().magnitude = 5 end)"#
    ) { call in
      let isNamed = call.type(1) != .function
      try call.refuseMore(than: isNamed ? 2 : 1)
      let transaction = isNamed ? try transaction(call, animation: 1) : Transaction(animation: .default)
      return try run(call, transaction, function: isNamed ? 2 : 1)
    },
    GlobalFunction(
      "withTransaction", "withTransaction({ animation = , disablesAnimations = }, function) -> results",
      "Calls a function and notifies observers of its changes, with a transaction.", sandbox: .allowed,
      example: #"withTransaction({ animation = "easeIn" }, function() Quake:first().magnitude = 5 end)"#
    ) { call in
      guard call.type(1) == .table else { throw call.expected("a table of options", 1) }
      let options = try call.options(1, ["animation", "disablesAnimations"])
      var transaction =
        try options.string("animation").map { TransactionFunctions.transaction(named: $0) } ?? Transaction()
      if let disables = try options.bool("disablesAnimations") { transaction.disablesAnimations = disables }
      return try run(call, transaction, function: 2)
    },
  ]

  /// The transaction of an animation, by its name; nil and "none" mean no animation.
  static func transaction(_ call: Call, animation argument: Int32) throws -> Transaction {
    call.isMissing(argument)
      ? Transaction(showing: nil) : transaction(named: try call.string(argument, "the name of an animation"))
  }

  private static func transaction(named name: String) -> Transaction {
    Transaction(showing: name == "none" ? nil : Animation(name))
  }

  private static func run(_ call: Call, _ transaction: Transaction, function: Int32) throws -> ReturnValue {
    _ = try call.function(function)
    return try withTransaction(transaction, call.engine.turn) { try call.results(of: function) }
  }
}
