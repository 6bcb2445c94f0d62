internal import CSQLite
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
        guard let arguments, let kind = text(arguments[0])?.utf8.first else { return }
        let collected = collectedValues(context, create: true)
        collected?.takeUnretainedValue().values.append(value(arguments[1], SQLKind(letter: kind)))
      },
      final: { context in
        guard let user = sqlite3_user_data(context) else { return }
        let function = Unmanaged<AggregateFunction>.fromOpaque(user).takeUnretainedValue().function
        let collected = collectedValues(context, create: false)?.takeRetainedValue()
        result(context, function.evaluate([.list(collected?.values ?? [])]))
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

/// The values of a running aggregate; its memory, which SQLite clears at the beginning, holds a reference to them.
private func collectedValues(_ context: OpaquePointer?, create: Bool) -> Unmanaged<CollectedValues>? {
  let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
  guard let memory = sqlite3_aggregate_context(context, create ? size : 0) else { return nil }
  let slot = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  if let known = slot.pointee { return Unmanaged.fromOpaque(known) }
  guard create else { return nil }
  let made = Unmanaged.passRetained(CollectedValues())
  slot.pointee = made.toOpaque()
  return made
}
