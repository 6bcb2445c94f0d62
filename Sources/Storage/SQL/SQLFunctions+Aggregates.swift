import Modeling
import Queries
import SQLite

/// Aggregate functions that SQLite does not have: sums of decimals, medians and the like.
extension SQLFunctions {
  func installAggregates(on connection: Connection) {
    install(.sum, "aggregate_sum", on: connection)
    install(.average, "aggregate_average", on: connection)
    install(.median, "aggregate_median", on: connection)
    install(.mode, "aggregate_mode", on: connection)
    install(.stddev, "aggregate_stddev", on: connection)
  }

  /// Adds an aggregate that collects its values and gives them to the function of expressions.
  private func install(_ function: ExpressionFunction, _ name: String, on connection: Connection) {
    connection.register(
      aggregate: name, arguments: 2, context: AggregateFunction(function),
      step: { context, _, arguments in
        let call = SQLFunctionCall(context, arguments)
        guard let kind = call.text(0)?.utf8.first else { return }
        call.collector(CollectedValues.init)?.values.append(call.value(1, SQLKind(letter: kind)))
      },
      final: { context in
        let call = SQLFunctionCall(context)
        guard let function = call.registered(as: AggregateFunction.self)?.function else { return }
        let collected = call.takeCollector(as: CollectedValues.self)
        call.setResult(function.evaluate([.list(collected?.values ?? [])]))
      })
  }
}

/// Which function an aggregate of SQL is.
private final class AggregateFunction {
  let function: ExpressionFunction
  init(_ function: ExpressionFunction) { self.function = function }
}

/// The values that an aggregate has been given.
private final class CollectedValues {
  var values: [Value] = []
}
