internal import Modeling
public import ObjectGraph
internal import Queries
internal import Stores

extension SlowRead {
  /// The cause as a sentence: `read all 2,000,000 Quake in 0.8 s (no index on magnitude)`.
  ///
  /// - Parameter onlyAdvice: Whether there is a sentence only where an index would help.
  public func sentence(in context: ObjectContext, onlyAdvice: Bool = false) -> String? {
    let time = Quantity.duration(seconds)
    let name = request.entity.name
    guard let diagnosis = try? context.store.diagnosis(of: request) else {
      return onlyAdvice ? nil : "\(name) took \(time)"
    }
    if onlyAdvice, diagnosis.advice.isEmpty { return nil }
    var reason = ""
    if let index = diagnosis.advice.first {
      let owner = index.entity === request.entity ? "" : "\(index.entity.name)."
      reason = " (no index on \(index.keys.map { owner + $0.name }.joined(separator: ", ")))"
    } else if case .unindexable(let clause, _)? = diagnosis.obstacles.first {
      reason = " (no index finds \(clause))"
    }
    if let scanned = diagnosis.scanned {
      let all = (request.fetchLimit ?? 0) > 0 ? "" : "all "
      // SQLite counts steps, which are one less than the scanned rows.
      let rows = rowsScanned > 0 ? Quantity.grouped(rowsScanned + 1) + " " : ""
      return "read \(all)\(rows)\(scanned) in \(time)\(reason)"
    }
    return (diagnosis.sorts ? "sorted \(name) in \(time)" : "\(name) took \(time)") + reason
  }
}
