import Foundation
import PeriluneKit

// The views that the samples name, as lines of text.

struct Text: DrawnView {
  var text: String

  /// A text in which values have formats.
  struct Key: ExpressibleByStringInterpolation {
    var text: String

    struct StringInterpolation: StringInterpolationProtocol {
      var text = ""
      init(literalCapacity: Int, interpolationCount: Int) {}
      mutating func appendLiteral(_ literal: String) { text += literal }
      mutating func appendInterpolation(_ value: some Any) { text += "\(value)" }
      mutating func appendInterpolation<Format: FormatStyle>(_ value: Format.FormatInput, format: Format)
      where Format.FormatOutput == String {
        text += format.format(value)
      }
    }

    init(stringLiteral value: String) { text = value }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  }

  enum DateStyle { case time }

  init(_ key: Key) { text = key.text }
  @_disfavoredOverload init(_ text: some StringProtocol) { self.text = String(text) }
  init<Format: FormatStyle>(_ value: Format.FormatInput, format: Format) where Format.FormatOutput == String {
    text = format.format(value)
  }
  init(_ date: Date, style: DateStyle) {
    let seconds = Int(date.timeIntervalSince1970) % 86_400
    text = String(format: "%02d:%02d", seconds / 3600, seconds / 60 % 60)
  }

  func draw(on screen: Screen) { screen.add(text) }
}

struct VStack<Content: View>: View {
  @ViewBuilder var content: Content
  var body: some View { content }
}

struct List<Content: View>: View {
  @ViewBuilder var content: Content
  var body: some View { content }
}

struct NavigationStack<Content: View>: View {
  @ViewBuilder var content: Content
  var body: some View { content }
}

struct NavigationLink<Destination: View, Label: View>: View {
  @ViewBuilder var destination: Destination
  @ViewBuilder var label: Label
  var body: some View {
    label
    destination
  }
}

struct ForEach<Element, Content: View>: DrawnView {
  var elements: [Element]
  var content: (Element) -> Content

  init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder content: @escaping (Element) -> Content)
  where Data.Element == Element, Element: Identifiable {
    (elements, self.content) = (Array(data), content)
  }

  init<Data: RandomAccessCollection, ID: Hashable>(
    _ data: Data, id: KeyPath<Element, ID>, @ViewBuilder content: @escaping (Element) -> Content
  ) where Data.Element == Element {
    (elements, self.content) = (Array(data), content)
  }

  func draw(on screen: Screen) { for element in elements { screen.draw(content(element)) } }
}

struct Section<Header: View, Content: View>: View {
  var header: Header
  @ViewBuilder var content: Content
  var body: some View {
    header
    content
  }
}

struct Button: DrawnView {
  var title: String
  var action: () -> Void

  init(_ title: String, action: @escaping () -> Void) { (self.title, self.action) = (title, action) }

  func draw(on screen: Screen) { screen.add(button: title, action) }
}

struct Toggle: DrawnView {
  var title: String
  @Binding var isOn: Bool

  init(_ title: String, isOn: Binding<Bool>) {
    self.title = title
    _isOn = isOn
  }

  func draw(on screen: Screen) {
    let value = $isOn
    screen.add(button: title) { value.wrappedValue.toggle() }
  }
}

struct TextField: DrawnView {
  var title: String
  var text: Binding<String>

  init(_ title: String, text: Binding<String>) { (self.title, self.text) = (title, text) }

  init(_ title: String, value: Binding<Int>, format: IntegerFormatStyle<Int>) {
    self.init(title, text: value.map(get: { format.format($0) }, set: { Int($0) ?? 0 }))
  }

  func draw(on screen: Screen) {
    screen.add("\(title) [\(text.wrappedValue)]")
    screen.add(field: title) { text.wrappedValue = $0 }
  }
}

struct SecureField: View {
  var field: TextField
  init(_ title: String, text: Binding<String>) { field = TextField(title, text: text) }
  var body: some View { field }
}

/// A table whose headers sort: a click makes a column the order, or reverses it.
struct Table<Row: Identifiable>: DrawnView {
  var rows: [Row]
  @Binding var sortOrder: [SortDescriptor<Row>]
  var columns: [TableColumn<Row>]

  init<Data: RandomAccessCollection>(
    _ rows: Data, sortOrder: Binding<[SortDescriptor<Row>]>, @TableColumnBuilder<Row> columns: () -> [TableColumn<Row>]
  ) where Data.Element == Row {
    self.rows = Array(rows)
    _sortOrder = sortOrder
    self.columns = columns()
  }

  func draw(on screen: Screen) {
    let order = $sortOrder
    for column in columns {
      screen.add(button: column.title) {
        let isFirst = order.wrappedValue.first?.keyPath == column.descriptor.keyPath
        var next = column.descriptor
        if isFirst, order.wrappedValue.first?.order == .forward { next.order = .reverse }
        order.wrappedValue = [next]
      }
    }
    for row in rows {
      screen.add(columns.map { Screen.lines(of: Group(views: [$0.content(row)])).joined() }.joined(separator: " | "))
    }
  }
}

struct TableColumn<Row> {
  var title: String
  var descriptor: SortDescriptor<Row>
  var content: (Row) -> any View

  init(_ title: String, value: any KeyPath<Row, String> & Sendable) {
    self.title = title
    descriptor = SortDescriptor(value)
    content = { Text($0[keyPath: value]) }
  }

  init<Value: Comparable>(
    _ title: String, value: any KeyPath<Row, Value> & Sendable, @ViewBuilder content: @escaping (Row) -> some View
  ) {
    self.title = title
    descriptor = SortDescriptor(value)
    self.content = content
  }
}

@resultBuilder enum TableColumnBuilder<Row> {
  static func buildExpression(_ column: TableColumn<Row>) -> TableColumn<Row> { column }
  static func buildBlock(_ columns: TableColumn<Row>...) -> [TableColumn<Row>] { columns }
}
