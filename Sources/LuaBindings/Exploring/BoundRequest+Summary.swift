internal import Modeling
internal import ObjectGraph
internal import Queries

// `request:summary()`
extension BoundRequest {
  static let summaryMembers: [Member<BoundRequest>] = [
    .method(
      "summary", "request:summary([keyPath, ...]) -> summary",
      "Statistics of each property: the number of nil and of distinct values, range, quartiles, the most frequent values.",
      sandbox: .allowed, example: "()"
    ) { call, request in
      try request.checkObjects(call)
      let expressions = try (0..<call.count).map { number -> (name: String, expression: Queries.Expression) in
        let text = try call.expressionText(number + 1)
        let expression = try Queries.Expression.parse(text)
        try expression.check(in: request.entity, for: .fetch)
        return (text, expression)
      }
      let ready = try request.ready(call)
      let context = request.context.objectContext
      let summaries = try call.engine.host.tellingProgress("summary of \(request.entity.name)", of: ready, in: context)
      {
        progress in
        try context.summary(ready, of: expressions.isEmpty ? nil : expressions, progress: progress)
      }
      return try SummaryTable(summaries, request.context, isASCII: call.engine.options.usesASCII).answer(call)
    }
  ]

  /// Throws for requests of dictionaries and counts.
  func checkObjects(_ call: Call) throws {
    guard request.resultType == .objects || request.resultType == .objectIDs else {
      throw call.fail("it tells of objects; this request has resultType = \"\(request.resultType.rawValue)\"")
    }
  }
}

extension HostProgram {
  /// Runs `work` on the rows of a request; `work` reports the number of finished rows, which is shown as progress.
  func tellingProgress<Result>(
    _ label: String, of request: Queries.FetchRequest, in context: ObjectContext,
    _ work: ((Int) throws -> Void) throws -> Result
  ) throws -> Result {
    guard let onProgress else { return try work { _ in } }
    defer { onProgress(TransferProgress(label: label, rows: 0, bytes: 0, isFinished: true)) }
    // Short work needs no count of its rows.
    var total: Int?
    return try work { rows in
      if total == nil { total = try context.count(request) }
      onProgress(TransferProgress(label: label, rows: rows, bytes: 0, totalRows: total))
    }
  }
}
