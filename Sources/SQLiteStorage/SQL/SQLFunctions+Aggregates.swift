import Modeling
import Queries
import SQLite

/// Aggregate functions that SQLite lacks: sums of decimals, medians and others.
extension SQLFunctions {
  func installAggregates(on connection: Connection) {
    installSums(on: connection)
    install(.median, "aggregate_median", on: connection)
    install(.mode, "aggregate_mode", on: connection)
    install(.stddev, "aggregate_stddev", on: connection)
  }

  /// Adds sums and averages, which do not depend on the order of the rows: `exact_sum` of binary numbers, which are read without
  /// making values, `aggregate_sum` of any.
  private func installSums(on connection: Connection) {
    let addNumber: SQLFunctionBody = { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let sum = call.collector(SumOfRows.init) else { return }
      switch call.type(0) {
      case .integer: sum.summation.add(integer: call.integer(0))
      case .real: sum.summation.add(call.real(0))
      case .null, .text, .blob: break
      }
    }
    let addValue: SQLFunctionBody = { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let kind = call.text(0)?.utf8.first else { return }
      call.collector(SumOfRows.init)?.summation.add(call.value(1, SQLKind(letter: kind)))
    }
    let sum: @convention(c) (OpaquePointer?) -> Void = { context in
      let call = SQLFunctionCall(context)
      call.setResult((call.takeCollector(as: SumOfRows.self)?.summation ?? Summation()).total)
    }
    let average: @convention(c) (OpaquePointer?) -> Void = { context in
      let call = SQLFunctionCall(context)
      call.setResult(call.takeCollector(as: SumOfRows.self)?.summation.average ?? .null)
    }
    let state: @convention(c) (OpaquePointer?) -> Void = { context in
      let call = SQLFunctionCall(context)
      let state = (call.takeCollector(as: SumOfRows.self)?.summation ?? Summation()).state
      call.setResult(state.withUnsafeBytes { [UInt8]($0) })
    }
    let addState: SQLFunctionBody = { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      let bytes = call.bytes(0)
      let state = stride(from: 0, to: bytes.count - 7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)
      }
      call.collector(SumOfRows.init)?.summation.add(state: state)
    }
    // For a part of the rows, and then for all parts.
    connection.register(aggregate: "exact_sum_state", arguments: 1, step: addNumber, final: state)
    connection.register(aggregate: "aggregate_sum_state", arguments: 2, step: addValue, final: state)
    connection.register(aggregate: "sum_of_states", arguments: 1, step: addState, final: sum)
    connection.register(aggregate: "average_of_states", arguments: 1, step: addState, final: average)
    connection.register(aggregate: "exact_sum", arguments: 1, step: addNumber, final: sum)
    connection.register(aggregate: "exact_average", arguments: 1, step: addNumber, final: average)
    connection.register(aggregate: "aggregate_sum", arguments: 2, step: addValue, final: sum)
    connection.register(aggregate: "aggregate_average", arguments: 2, step: addValue, final: average)
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

/// The expression function that an SQL aggregate runs.
private final class AggregateFunction {
  let function: ExpressionFunction
  init(_ function: ExpressionFunction) { self.function = function }
}

/// The values that an aggregate has collected.
private final class CollectedValues {
  var values: [Value] = []
}

/// The sum of the numbers that an aggregate has been given.
private final class SumOfRows {
  var summation = Summation()
}
