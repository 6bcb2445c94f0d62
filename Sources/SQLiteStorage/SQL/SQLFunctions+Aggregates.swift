import Modeling
import Queries
import SQLite

/// Aggregate functions that SQLite lacks: sums of decimals, medians and others.
extension SQLFunctions {
  func installAggregates(on connection: Connection) {
    installSums(on: connection)
    installStates(on: connection)
    install(.median, "aggregate_median", on: connection)
    install(.mode, "aggregate_mode", on: connection)
    install(.stddev, "aggregate_stddev", on: connection)
  }

  /// Adds sums and averages, which do not depend on the order of the rows: `exact_sum` of binary numbers, which are read without
  /// making values, `aggregate_sum` of any.
  private func installSums(on connection: Connection) {
    connection.register(aggregate: "exact_sum", arguments: 1, step: Self.addNumber, final: Self.sum)
    connection.register(aggregate: "exact_average", arguments: 1, step: Self.addNumber, final: Self.average)
    connection.register(aggregate: "aggregate_sum", arguments: 2, step: Self.addValue, final: Self.sum)
    connection.register(aggregate: "aggregate_average", arguments: 2, step: Self.addValue, final: Self.average)
  }

  /// Adds sums of a part of the rows, as bytes that `installMerging` adds.
  private func installStates(on connection: Connection) {
    let state: @convention(c) (OpaquePointer?) -> Void = { context in
      let call = SQLFunctionCall(context)
      let state = (call.takeCollector(as: SumOfRows.self)?.summation ?? Summation()).state
      call.setResult(state.withUnsafeBytes { [UInt8]($0) })
    }
    connection.register(aggregate: "exact_sum_state", arguments: 1, step: Self.addNumber, final: state)
    connection.register(aggregate: "aggregate_sum_state", arguments: 2, step: Self.addValue, final: state)
    connection.register(
      aggregate: "aggregate_counts", arguments: 1,
      step: { context, _, arguments in
        let call = SQLFunctionCall(context, arguments)
        call.collector(CountedValues.init)?.add(call)
      },
      final: { context in
        let call = SQLFunctionCall(context)
        call.setResult(call.takeCollector(as: CountedValues.self)?.state ?? [])
      })
  }

  /// Adds aggregates of all parts. They take any bytes for those of a part, so that no SQL of scripts may call them.
  func installMerging(on connection: Connection) {
    let addState: SQLFunctionBody = { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      let bytes = call.bytes(0)
      let state = stride(from: 0, to: bytes.count - 7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)
      }
      call.collector(SumOfRows.init)?.summation.add(state: state)
    }
    connection.register(aggregate: "sum_of_states", arguments: 1, step: addState, final: Self.sum)
    connection.register(aggregate: "average_of_states", arguments: 1, step: addState, final: Self.average)
    for function in [ExpressionFunction.median, .stddev] { installMerging(function, on: connection) }
  }

  private func installMerging(_ function: ExpressionFunction, on connection: Connection) {
    connection.register(
      aggregate: "\(function.rawValue)_of_counts", arguments: 2, context: AggregateFunction(function),
      step: { context, _, arguments in
        let call = SQLFunctionCall(context, arguments)
        guard let kind = call.text(0)?.utf8.first, let function = call.registered(as: AggregateFunction.self)?.function
        else { return }
        let merged = call.collector { MergedCounts(function) }
        CountedValues.forEach(in: call.bytes(1), as: SQLKind(letter: kind)) { merged?.accumulator.add($0, times: $1) }
      },
      final: { context in
        let call = SQLFunctionCall(context)
        call.setResult(call.takeCollector(as: MergedCounts.self)?.accumulator.value ?? .null)
      })
  }

  private static var addNumber: SQLFunctionBody {
    { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let sum = call.collector(SumOfRows.init) else { return }
      switch call.type(0) {
      case .integer: sum.summation.add(integer: call.integer(0))
      case .real: sum.summation.add(call.real(0))
      case .null, .text, .blob: break
      }
    }
  }

  private static var addValue: SQLFunctionBody {
    { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let kind = call.text(0)?.utf8.first else { return }
      call.collector(SumOfRows.init)?.summation.add(call.value(1, SQLKind(letter: kind)))
    }
  }

  private static var sum: @convention(c) (OpaquePointer?) -> Void {
    { context in
      let call = SQLFunctionCall(context)
      call.setResult((call.takeCollector(as: SumOfRows.self)?.summation ?? Summation()).total)
    }
  }

  private static var average: @convention(c) (OpaquePointer?) -> Void {
    { context in
      let call = SQLFunctionCall(context)
      call.setResult(call.takeCollector(as: SumOfRows.self)?.summation.average ?? .null)
    }
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

/// An aggregate over the counted values of parts.
private final class MergedCounts {
  var accumulator: Accumulator
  init(_ function: ExpressionFunction) { accumulator = Accumulator(function) }
}

/// The values that an aggregate has collected.
private final class CollectedValues {
  var values: [Value] = []
}

/// The sum of the numbers that an aggregate has been given.
private final class SumOfRows {
  var summation = Summation()
}
