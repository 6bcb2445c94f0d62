import Modeling
import SQLite

extension StoreOpener {
  mutating func introspect() throws -> (model: Model, layouts: [Entity: EntityLayout]) {
    connection.allowDoubleQuotedStrings()
    let original = (options.original as? SQLiteStore)?.layouts.values
    let layout = try IntrospectedLayout(
      connection, readsDateTexts: options.readsDateTexts ?? true, datesOf: original.map(Array.init))
    notes += layout.notes
    guard let wanted = options.model else {
      let shown = try hiding(layout.model) { layout.layouts }
      guard shown !== layout.model else { return (layout.model, layout.layouts) }
      return (shown, try OverlaidLayout(shown, over: layout, path: options.path).layouts)
    }
    return (wanted, try OverlaidLayout(wanted, over: layout, path: options.path).layouts)
  }
}
