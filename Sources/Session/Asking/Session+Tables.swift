package import ObjectGraph
internal import Presentation
package import Queries

extension Session {
  /// The objects of a request as a table of some columns of characters.
  ///
  /// - Throws: PredicateError, StoreError.
  package func table(of request: FetchRequest, in context: ObjectContext, width: Int) throws -> String {
    let sink = OutputSink.inMemory()
    let columns = try EntityColumns(request.entity, isData: false, for: request)
    try OutputMode.table.renderer.render(
      RequestRows(request, in: context, columns, isData: false), to: sink,
      options: RenderOptions(width: width, rows: .all, allowsCards: false))
    return String(sink.text.reversed().drop { $0 == "\n" }.reversed())
  }
}
