@testable import Presentation

/// What a mode writes for the rows of a source.
func rendered(_ mode: OutputMode, _ source: any TabularSource, _ options: RenderOptions = RenderOptions()) throws
  -> String
{
  let sink = OutputSink.inMemory()
  try mode.renderer.render(source, to: sink, options: options)
  return sink.text
}

/// Rows of text columns named a, b, c and so on.
func textRows(_ rows: [[Cell]], rowName: String? = nil) -> MemoryRows {
  let names = "abcdefghijklmnopqrstuvwxyz".map(String.init)
  return MemoryRows(
    columns: (0..<(rows.first?.count ?? 0)).map { TabularColumn(names[$0]) }, rows: rows, rowName: rowName)
}

/// The options of a terminal without colours that is so wide.
func terminal(width: Int?, charset: Charset = .utf8) -> RenderOptions {
  var options = RenderOptions()
  options.width = width
  options.charset = charset
  options.isTerminal = true
  return options
}
