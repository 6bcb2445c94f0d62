import Modeling
import Queries
package import SQLite

/// The functions and collations of our SQL. The first statement that does not compile without them adds them to its
/// connection.
///
/// They run the evaluation in memory: `text_contains(x, pattern, 'cd')` and its siblings run `TextPattern`, `text_fold`
/// and `text_compare` its folding and order, `call` and `convert_value` the functions of expressions.
package struct SQLFunctions {
  let externalData: ExternalData?

  /// Functions for a store that may keep data in external files.
  init(externalData: ExternalData?) { self.externalData = externalData }

  /// Functions for a connection without external data files.
  package init() { self.init(externalData: nil) }

  /// Adds all functions and collations.
  package func install(on connection: Connection) {
    installText(on: connection)
    installValues(on: connection)
    installAggregates(on: connection)
    installCollations(on: connection)
    installCoreData(on: connection)
  }

  private func installText(on connection: Connection) {
    let source = InterruptionSource(connection)
    connection.register(function: "text_contains", arguments: 3, context: source) {
      matchText(SQLFunctionCall($0, $2), .contains)
    }
    connection.register(function: "text_beginswith", arguments: 3, context: source) {
      matchText(SQLFunctionCall($0, $2), .beginsWith)
    }
    connection.register(function: "text_endswith", arguments: 3, context: source) {
      matchText(SQLFunctionCall($0, $2), .endsWith)
    }
    connection.register(function: "text_like", arguments: 3, context: source) {
      matchText(SQLFunctionCall($0, $2), .like)
    }
    connection.register(function: "text_matches", arguments: 3, context: source) {
      matchText(SQLFunctionCall($0, $2), .matches)
    }
    connection.register(function: "text_fold", arguments: 2, context: source) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let text = call.text(0), let options = textOptions(call, 1) else { return }
      guard text.utf8.count > longText else { return call.setResult(folded(text, options)) }
      do {
        call.setResult(try asking(call) { try foldedInParts(text, options) })
      } catch {
        call.interrupt()
      }
    }
    connection.register(function: "text_compare", arguments: 3) { context, _, arguments in
      let call = SQLFunctionCall(context, arguments)
      guard let left = call.text(0), let right = call.text(1), let options = textOptions(call, 2) else { return }
      call.setResult(Int64(compareText(left, right, options).signum()))
    }
  }

  private func installCollations(on connection: Connection) {
    connection.register(collation: "decimal") { _, leftCount, left, rightCount, right in
      let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
      return Int32(clamping: compareDecimalText(left, UnsafeRawBufferPointer(start: right, count: Int(rightCount))))
    }
    connection.register(collation: "case_insensitive") { collate(.caseInsensitive, $1, $2, $3, $4) }
    connection.register(collation: "localized") { collate(.localized, $1, $2, $3, $4) }
    connection.register(collation: "localized_standard") { collate(.standard, $1, $2, $3, $4) }
  }
}

private func collate(
  _ comparator: SortDescriptor.StringComparator, _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32,
  _ right: UnsafeRawPointer?
) -> Int32 {
  let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
  return Int32(clamping: comparator.compare(left, UnsafeRawBufferPointer(start: right, count: Int(rightCount))))
}

// MARK: Text

/// Whether a text matches a pattern; null if either is not a text.
private func matchText(_ call: SQLFunctionCall, _ comparator: Comparator) {
  guard let text = call.text(0) else { return }
  do {
    guard let pattern = try preparedPattern(call, comparator) else { return }
    let isLong = comparator == .matches || text.utf8.count > longText
    call.setResult(isLong ? try asking(call) { try pattern.matches(text) } : try pattern.matches(text))
  } catch is EvaluationInterrupted {
    call.interrupt()
  } catch {
    call.fail("invalid regular expression")
  }
}

/// From this many bytes on, matching a text can take long enough to need interruption.
private let longText = 1 << 16

/// The connection that a running function asks whether to stop. SQLite itself checks only between function calls.
private final class InterruptionSource {
  private(set) weak var connection: Connection?
  init(_ connection: Connection) { self.connection = connection }
}

/// Runs `body`, whose long loops ask the function's connection whether to stop.
private func asking<Result>(_ call: SQLFunctionCall, _ body: () throws -> Result) rethrows -> Result {
  guard let source = call.registered(as: InterruptionSource.self) else { return try body() }
  return try Interruption.asking({ [weak source] in source?.connection?.isInterrupted() ?? false }, body)
}

/// A compiled pattern that SQLite keeps between the rows of a statement.
private final class KeptPattern {
  let pattern: TextPattern
  init(_ pattern: TextPattern) { self.pattern = pattern }
}

/// The pattern of a call, compiled once if it is constant.
private func preparedPattern(_ call: SQLFunctionCall, _ comparator: Comparator) throws -> TextPattern? {
  if let known = call.kept(beside: 1, as: KeptPattern.self) { return known.pattern }
  guard let text = call.text(1), let options = textOptions(call, 2) else { return nil }
  let pattern = try TextPattern(comparator, text, options)
  call.keep(KeptPattern(pattern), beside: 1)
  return pattern
}

/// The options for letters such as `cd`.
private func textOptions(_ call: SQLFunctionCall, _ index: Int) -> ComparisonOptions? {
  guard let letters = call.text(index) else { return nil }
  var options: ComparisonOptions = []
  if letters.contains("c") { options.insert(.caseInsensitive) }
  if letters.contains("d") { options.insert(.diacriticInsensitive) }
  if letters.contains("l") { options.insert(.localeSensitive) }
  return options
}
