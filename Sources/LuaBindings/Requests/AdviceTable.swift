internal import Modeling
internal import Stores

/// Suggested indexes, as tables that print as their declarations.
enum AdviceTable {
  /// The list.
  static func list(_ advice: [IndexAdvice], of request: BoundRequest) throws -> ReturnValue {
    .list(
      try advice.map { index in
        let keys = index.keys.map { ($0.isAscending ? "" : "-") + $0.name }
        let sql = try request.context.store.objectStore.plans.statement(making: index)
        return .printed(
          .record([
            ("entity", .text(index.entity.name)), ("keys", .texts(keys)), ("sql", .text(sql)),
            ("model", .text(index.modelText)),
          ]), kind: "Advice", text: try text(of: index, request))
      })
  }

  /// The declaration: in the model if it declares the tables, otherwise SQL.
  static func text(of index: IndexAdvice, _ request: BoundRequest) throws -> String {
    let store = request.context.store.objectStore
    if store.traits.declaresSchema, let model = index.modelText { return "\(index.entity.name): \(model)" }
    return try store.plans.statement(making: index)
  }
}
