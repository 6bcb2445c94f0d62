/// The modes of `.mode` and `--mode`.
///
/// To add one, write its renderer in a file of its own, and give it a case, a summary and a line in `renderer`.
package enum OutputMode: String, CaseIterable, Sendable {
  case table, lines, list, csv, tsv, json, ndjson, markdown, html, insert, lua

  package var summary: String {
    switch self {
    case .table: "a frame that fits the window"
    case .lines: "one card per row, a value per line"
    case .list: "values between bars"
    case .csv: "comma-separated values (RFC 4180)"
    case .tsv: "tab-separated values, \\t \\n \\\\ escaped, \\N for nothing"
    case .json: "an array of objects"
    case .ndjson: "an object per line"
    case .markdown: "a Markdown table"
    case .html: "an HTML table"
    case .insert: "INSERT statements, for the entity's table or one that is named"
    case .lua: "a table constructor that load reads back"
    }
  }

  /// Whether the mode is for programs: attributes and keys, nothing cut, nothing added.
  package var isData: Bool {
    switch self {
    case .csv, .tsv, .json, .ndjson, .insert, .lua: true
    case .table, .lines, .list, .markdown, .html: false
    }
  }

  /// Whether plain values are written whole: nothing that is long or deep is left out.
  package var isWhole: Bool { self == .json || self == .ndjson || self == .lua }

  package var renderer: any Renderer {
    switch self {
    case .table: TableRenderer()
    case .lines: LinesRenderer()
    case .list: StreamingRenderer<ListFormat>()
    case .csv: StreamingRenderer<CSVFormat>()
    case .tsv: StreamingRenderer<TSVFormat>()
    case .json: StreamingRenderer<JSONFormat>()
    case .ndjson: StreamingRenderer<NDJSONFormat>()
    case .markdown: StreamingRenderer<MarkdownFormat>()
    case .html: StreamingRenderer<HTMLFormat>()
    case .insert: InsertRenderer()
    case .lua: StreamingRenderer<LuaFormat>()
    }
  }
}
