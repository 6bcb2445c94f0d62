internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

extension BoundContext {
  static let historyMembers: [Member<BoundContext>] = [
    .property(
      "name", "context.name -> string", "The name of the context in the store's history, or nil.", sandbox: .allowed
    ) {
      call, context in
      .text(context.objectContext.name)
    } set: { call, context in
      context.objectContext.name = call.isMissing(1) ? nil : try call.string(1)
    },
    .property(
      "transactionAuthor", "context.transactionAuthor -> string",
      "The author of the changes made here, for the history; `save { author = }` names it for one save.",
      sandbox: .allowed
    ) { call, context in
      .text(context.objectContext.transactionAuthor)
    } set: { call, context in
      context.objectContext.transactionAuthor = call.isMissing(1) ? nil : try call.string(1)
    },
    .method(
      "mergeChanges", "context:mergeChanges(history)",
      "Refreshes the objects named by a history or one of its transactions; unsaved changes stay.", sandbox: .allowed,
      example: "(store:history())"
    ) { call, context in
      try context.checkOpen(call.place)
      let (engine, stack) = (call.engine, call.stack)
      if let history = engine.classes.object(BoundHistory.self, at: call.index(1), on: stack) {
        for transaction in history.transactions {
          try context.objectContext.mergeChanges(
            try BoundHistoryTransaction(history.store, transaction, history.entity).loaded())
        }
      } else if let transaction = engine.classes.object(BoundHistoryTransaction.self, at: call.index(1), on: stack) {
        try context.objectContext.mergeChanges(try transaction.loaded())
      } else {
        throw call.expected("a history or a transaction of one", 1)
      }
      return .nothing
    },
  ]
}
