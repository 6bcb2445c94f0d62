internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Session

/// A form that gives a property of an object another value.
///
/// It holds the text that stood there when it was shown. When another program has changed that meanwhile, nothing is overwritten:
/// the form shows what it was, what was typed and what it is now.
struct EditorView {
  let field: CellField
  private let object: ManagedObject
  private let index: Int
  private let store: PageStore
  private let control: PropertyControl
  private var typed: String?
  private var mistake: String?
  /// What stood there before another program changed it.
  private var base: String?

  /// The longest text that is edited here, in bytes, and the longest data that is shown as base64.
  private static let longest = 256 << 10
  private static let longestData = 4 << 10

  /// - Throws: PageProblem for a property that is not edited here.
  init(_ object: ManagedObject, at index: Int, in store: PageStore) throws {
    (self.object, self.index, self.store) = (object, index, store)
    field = try store.making { try CellField(object, at: index) }
    control = PropertyControl(object.entity, at: index)
    guard field.text.utf8.count <= Self.longest || control.isFile else {
      throw PageProblem.tooLong(field.property.name)
    }
    guard HTML.keeps(field.text), Self.keepsLineBreaks(field.text) else {
      throw PageProblem.failure(CellField.Refusal.noLine(field.property.name).sentence + "; the prompt sets it")
    }
  }

  var takesEmptyText: Bool { control.takesEmptyText }
  var isFile: Bool { control.isFile }

  /// What a form says that it has changed: the text, or what stands for long data.
  var mark: String { isLongData ? String(field.text.hashValue) : field.text }
  private var isLongData: Bool { isFile && field.text.utf8.count > Self.longestData }

  /// The same form with what was typed, and why it is not taken.
  func showing(_ typed: String, mistake: String? = nil, base: String? = nil) -> EditorView {
    var next = self
    (next.typed, next.mistake, next.base) = (typed, mistake, base)
    return next
  }

  /// What a field was sent with: browsers end lines in their own way.
  func line(_ sent: String) -> String {
    let breaks = field.text.contains("\r\n") ? "\r\n" : "\n"
    let line = sent.replacing("\r\n", with: breaks)
    // Fields of dates leave out what is zero, and the zone.
    guard field.property.attribute?.type == .date,
      let value = try? CellField.value(line, of: field.property.attribute!),
      !value.isNull
    else { return line }
    return value.displayText
  }

  private static func keepsLineBreaks(_ text: String) -> Bool {
    let plain = text.replacing("\r\n", with: "")
    return !plain.unicodeScalars.contains("\r") && (plain == text || !plain.unicodeScalars.contains("\n"))
  }

  var html: HTML {
    let address = store.address(of: object)
    let name = field.property.name
    let buttons: [HTML] = [
      .tag("button", [:], "Set"),
      (takesEmptyText || isFile) && !control.isRequired
        ? .tag("button", ["name": "empty", "value": "1"], "Make nil") : .nothing,
      base == nil ? .nothing : .tag("button", ["name": "keep", "value": "1"], "Keep theirs"),
    ]
    return store.form(
      .set, address.fields + [.init("property", name), .init("base", mark)],
      [
        .tag("label", [:], [.tag("span", ["class": "name"], name), input]),
        mistake.map { .tag("p", ["class": "mistake", "role": "alert"], $0) } ?? .nothing, conflict,
        .tag("p", ["class": "note"], control.remark), .tag("div", ["class": "buttons"], buttons),
      ], class: "edit", sendsFiles: isFile)
  }

  private var input: HTML {
    guard isFile else { return control.html("value", typed ?? field.text) }
    let file = HTML.tag("input", ["type": "file", "name": "file", "aria-label": "A file for \(field.property.name)"])
    return isLongData ? file : .group([file, control.html("value", typed ?? field.text)])
  }

  private var conflict: HTML {
    guard let base else { return .nothing }
    let lines = [("base", base), ("mine", typed ?? ""), ("theirs", field.text)].flatMap { name, text -> [HTML] in
      let shown = text.isEmpty ? "nil" : isFile ? "data" : text
      return [.tag("dt", [:], name), .tag("dd", [:], shown)]
    }
    return .group([
      .tag("p", ["class": "mistake", "role": "alert"], "this was changed meanwhile"),
      .tag("dl", ["class": "conflict"], lines),
    ])
  }

  /// The form as a page of its own.
  var frame: PageFrame {
    let address = PageAddress.object(store.address(of: object))
    let path: [(String, PageAddress?)] = [
      (object.entity.name, .rows(RowsAddress(object.entity.name))), (ObjectText.title(of: object), address),
      (field.property.name, nil),
    ]
    return store.frame("\(field.property.name) of \(ObjectText.name(of: object))", path, html)
  }
}
