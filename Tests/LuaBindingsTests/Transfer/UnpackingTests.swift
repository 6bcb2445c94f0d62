import Foundation
import LuaBindings
import TestSupport
import Testing

/// Rows from files that are packed, or in which rows are within something else.
@Suite struct UnpackingTests {
  private let folder: TemporaryFolder
  private let script: Script

  init() throws {
    folder = try TemporaryFolder()
    script = try Script()
  }

  private func python(_ code: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "import os\nos.chdir('\(folder.path)')\n" + code]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw PythonFailed() }
  }

  private struct PythonFailed: Error {}

  private func open(_ name: String) throws { try script.run("use(open('\(folder.file(name))'))") }

  private func error(_ name: String) -> String { script.error("open('\(folder.file(name))')") ?? "" }

  @Test func packedFilesAreReadAsTheFilesInThem() throws {
    try python(
      """
      import gzip
      gzip.open('sales.csv.gz', 'wt').write('code,n\\na,1\\nb,2\\n')
      rows = ''.join('{"code": "%d"}\\n' % i for i in range(100000))
      half = gzip.compress(rows[:500000].encode()) + gzip.compress(rows[500000:].encode())
      open('lines.ndjson.GZ', 'wb').write(half)
      open('cut.csv.gz', 'wb').write(gzip.compress(os.urandom(100000))[:5000])
      bad = bytearray(gzip.compress(b'code\\n' * 1000)); bad[20] ^= 255; open('bad.csv.gz', 'wb').write(bad)
      """)
    try open("sales.csv.gz")
    #expect(try script.value("Sale:count(), Sale:all():sum 'n'") == "2 3")
    try open("lines.ndjson.GZ")
    #expect(try script.value("Line:count(), Line:all():sorted('code'):first().code") == "100000 0")
    #expect(error("cut.csv.gz").contains("the packed bytes end too early"), "\(error("cut.csv.gz"))")
    #expect(error("bad.csv.gz").contains("the packed bytes"), "\(error("bad.csv.gz"))")
  }

  @Test func aBombIsAnError() throws {
    try python(
      """
      import gzip
      with gzip.open('bomb.csv.gz', 'wb') as f:
        for i in range(300): f.write(bytes(1 << 20))
      """)
    #expect(error("bomb.csv.gz").contains("as bombs do"), "\(error("bomb.csv.gz"))")
  }

  @Test func featuresOfGeoJSONAreRows() throws {
    try """
    { "type": "FeatureCollection", "name": "places", "features": [
      { "type": "Feature", "id": 7, "geometry": { "type": "Point", "coordinates": [1.5, 2] },
        "properties": { "name": "Oslo", "size": 3 } },
      { "type": "Feature", "properties": { "name": "A, {b}\\"" }, "geometry": null }
    ], "crs": {} }
    """.write(toFile: folder.file("places.geojson"), atomically: true, encoding: .utf8)
    try open("places.geojson")
    #expect(
      try script.value("Place:find(1).name, Place:find(1).size, Place:find(1).geometry.coordinates[1]") == "Oslo 3 1.5")
    #expect(try script.value("Place:find(2).name, Place:find(2).geometry, Place:count()") == "A, {b}\" nil 2")
  }

  @Test func rowsWithinAnObjectAreFound() throws {
    try #"{"count": 2, "data": {"tags": ["a"], "items": [{"a": 1}, {"a": 2, "b": "x"}], "next": null}}"#
      .write(toFile: folder.file("things.json"), atomically: true, encoding: .utf8)
    try open("things.json")
    #expect(try script.value("Thing:count(), Thing:all():sum 'a'") == "2 3")
    try "{\n \"a\": 1,\n \"b\": [1]\n}\n".write(toFile: folder.file("ones.json"), atomically: true, encoding: .utf8)
    try open("ones.json")
    #expect(try script.value("One:count(), One:first().a") == "1 1")
    // An error is at its place in the file.
    try "{\"items\": [\n{\"a\": 1},\n{\"a\": x}]}".write(
      toFile: folder.file("wrong.json"), atomically: true, encoding: .utf8)
    #expect(error("wrong.json").contains("wrong.json:3:7"), "\(error("wrong.json"))")
  }

  @Test func propertyListsAreRows() throws {
    try python(
      """
      import plistlib, datetime
      rows = [{'name': 'a', 'n': 1, 'at': datetime.datetime(2024, 1, 2)}, {'name': 'b', 'n': 2}]
      for name, form in (('rows', plistlib.FMT_BINARY), ('people', plistlib.FMT_XML)):
        plistlib.dump(rows, open(name + '.plist', 'wb'), fmt=form)
      plistlib.dump({'theme': 'dark', 'size': 12}, open('settings.plist', 'wb'), fmt=plistlib.FMT_BINARY)
      plistlib.dump({'b': {'n': 2**63}, 'a': {'n': 2**63}}, open('keys.plist', 'wb'))
      open('wrong.plist', 'wb').write(b'bplist00' + bytes(40))
      """)
    for (name, entity) in [("rows", "Row"), ("people", "Person")] {
      try open("\(name).plist")
      #expect(
        try script.value("\(entity):count(), \(entity):all():sum 'n', \(entity):first('n == 1').at.year") == "2 3 2024")
    }
    try open("settings.plist")
    #expect(try script.value("Setting:first(\"key == 'theme'\").value, Setting:count()") == "dark 2")
    try open("keys.plist")
    #expect(try script.value("Key:first(\"key == 'a'\").n, Key:find(2).key") == "9223372036854775808 b")
    #expect(error("wrong.plist").contains("the property list is damaged"), "\(error("wrong.plist"))")
  }

  /// A workbook of two sheets, written part by part.
  private static let workbook = """
    import zipfile
    def book(name, sheets, strings, styles='<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'):
      z = zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED)
      z.writestr('xl/workbook.xml', '<workbook xmlns:r="x"><sheets>' + ''.join(
        '<sheet name="%s" r:id="r%d"/>' % (n, i) for i, n in enumerate(sheets)) + '</sheets></workbook>')
      z.writestr('xl/_rels/workbook.xml.rels', '<Relationships>' + ''.join(
        '<Relationship Id="r%d" Type="a/worksheet" Target="worksheets/s%d.xml"/>' % (i, i) for i in range(len(sheets))) +
        '<Relationship Id="st" Type="a/styles" Target="styles.xml"/><Relationship Id="te" Type="a/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>')
      z.writestr('xl/styles.xml', styles)
      z.writestr('xl/sharedStrings.xml', '<sst>' + ''.join('<si><t>%s</t></si>' % t for t in strings) + '</sst>')
      for i, rows in enumerate(sheets.values()):
        z.writestr('xl/worksheets/s%d.xml' % i, '<worksheet><sheetData>' + rows + '</sheetData></worksheet>')
    head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>day</t></is></c></row>'
    """

  @Test func eachSheetOfAWorkbookIsAnEntity() throws {
    try python(
      Self.workbook + """

        rows = head + '<row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3"><v>12.5</v></c><c r="C3" s="1"><v>45293</v></c></row>'
        rows += '<row r="4"><c r="A4" t="str"><v>x &lt;y&gt;_x000A_</v></c><c r="B4" t="e"><v>#N/A</v></c>'
        rows += '<c r="C4" s="1"><f a="1 > 0">NOW()</f><v>45293.5</v></c></row>'
        book('shop.xlsx', {'Orders': rows, 'Empty': '', 'Guests': head + '<row><c t="b"><v>1</v></c></row>'}, ['name', 'n', 'Tea'])
        """)
    try open("shop.xlsx")
    #expect(try script.value("Order:count(), Order:all():sum 'n', Guest:count()") == "2 12.5 1")
    #expect(
      try script.value("Order:find(1).name, Order:find(1).day, Order:find(2).name, Order:find(2).day.hour")
        == "Tea 2024-01-02T00:00:00Z x <y>\n 12")
    #expect(script.error("return store.entities.Empty")?.hasSuffix("the model has no 'Empty'") == true)
  }

  @Test func aSheetGoesIntoTheEntityOfItsName() throws {
    try python(
      Self.workbook + """

        rows = head + '<row r="5"><c r="A5" t="s"><v>0</v></c><c r="B5"><v>%s</v></c></row>'
        book('shop.xlsx', {'Orders': rows % 1, 'Guests': rows % 2}, ['name', 'Unit Price'])
        book('wrong.xlsx', {'Orders': rows % '1.5'}, ['name', 'Unit Price'])
        """)
    try script.run(
      """
      use(open(":memory:", { model = Model { Order = Entity { name = String, unitPrice = Int, day = Date } } }))
      function read(file, ...) return pcall(import, Order, "\(folder.path)/" .. file, ...) end
      """)
    #expect(try script.value("read 'shop.xlsx'").hasPrefix("true"))
    #expect(try script.value("Order:count(), Order:first().unitPrice") == "1 1")
    let guest = "pcall(import, 'Guess', '\(folder.file("shop.xlsx"))')"
    #expect(
      try script.value("select(2, \(guest))").hasSuffix(
        "has sheets for Order, Guest, and none for Guess; did you mean 'Guest'?"))
    // A column is not left out in silence, and a value's place is its row in the sheet.
    #expect(try script.value("read('shop.xlsx', { map = { nme = 'name' } })").contains("did you mean 'name'?"))
    #expect(try script.value("read 'wrong.xlsx'").contains("wrong.xlsx:5:"))
  }

  @Test func aSuffixThatIsNearlyAFormatIsNamed() throws {
    try "a".write(toFile: folder.file("rows.xslx"), atomically: true, encoding: .utf8)
    #expect(error("rows.xslx").hasSuffix("is not an SQLite file; did you mean '.xlsx'?"), "\(error("rows.xslx"))")
    #expect(script.error("import('Row', 'rows.geojsn')")?.hasSuffix("did you mean '.geojson'?") == true)
  }

  @Test func damagedWorkbooksAreErrors() throws {
    try python(
      Self.workbook + """

        book('index.xlsx', {'A': head}, ['name'])
        book('cell.xlsx', {'A': head + '<row><c r="ZZZZ1"><v>1</v></c></row>'}, ['name', 'n'])
        book('cut.xlsx', {'A': head + '<row><c r="A2"><v>1'}, ['name', 'n'])
        book('texts.xlsx', {'A': '<!DOCTYPE a [<!ENTITY b "c">]>' + head}, ['name', 'n'])
        data = open('cut.xlsx', 'rb').read()
        open('half.xlsx', 'wb').write(data[:len(data) // 2])
        open('not.xlsx', 'w').write('hello')
        book('sum.xlsx', {'A': head}, ['name', 'n'])
        data = bytearray(open('sum.xlsx', 'rb').read())
        at = data.rindex(b'PK\\x01\\x02'); data[at + 16] ^= 1; open('sum.xlsx', 'wb').write(data)
        """)
    #expect(error("index.xlsx").contains("row 1 refers to the text 1, which is not there"), "\(error("index.xlsx"))")
    #expect(error("missing.xlsx").hasSuffix("cannot be read: No such file or directory"), "\(error("missing.xlsx"))")
    #expect(error("not.xlsx").contains("no ZIP archive"), "\(error("not.xlsx"))")
    #expect(error("half.xlsx").contains("cut off"), "\(error("half.xlsx"))")
    #expect(error("cell.xlsx").contains("beyond column XFD"), "\(error("cell.xlsx"))")
    for name in ["cut", "texts", "sum"] {
      #expect(error("\(name).xlsx").contains("damaged"), "\(name): \(error("\(name).xlsx"))")
    }
  }

  @Test func flippedBytesNeverEndTheProcess() throws {
    try python(
      Self.workbook + """

        import gzip, plistlib, random
        book('a.xlsx', {'A': head + '<row><c><v>1</v></c></row>' * 50}, ['name', 'n'])
        open('a.csv.gz', 'wb').write(gzip.compress(b'a,b\\n' + b'1,2\\n' * 500))
        plistlib.dump([{'a': [1, 'x', {'b': 2}]}] * 20, open('a.plist', 'wb'), fmt=plistlib.FMT_BINARY)
        open('a.geojson', 'w').write('{"features": [' + ','.join('{"type": "Feature", "properties": {"a": "b"}}' for _ in range(20)) + ']}')
        random.seed(7)
        for name in ('a.xlsx', 'a.csv.gz', 'a.plist', 'a.geojson'):
          data = open(name, 'rb').read()
          for i in range(60):
            bad = bytearray(data)
            for _ in range(random.choice((1, 3, 20))): bad[random.randrange(len(bad))] = random.randrange(256)
            open('%d.%s' % (i, name), 'wb').write(bad)
        """)
    for name in ["a.xlsx", "a.csv.gz", "a.plist", "a.geojson"] {
      for number in 0..<60 { try script.run("pcall(open, '\(folder.file("\(number).\(name)"))')") }
    }
    #expect(try script.value("1 + 1") == "2")
  }

  /// Workbooks of the same values that openpyxl 3.1 and LibreOffice Calc 7.4 wrote.
  @Test(arguments: ["openpyxl", "libreoffice"])
  func whatOtherProgramsWriteIsRead(_ writer: String) throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
    try script.run("use(open('\(samples.path)/\(writer).xlsx'))")
    #expect(
      try script.value("Trip:count(), Guest:first().name, Trip:find(2).town, Trip:find(2).startDay")
        == "2 Ann Bergen nil")
    #expect(
      try script.value("Trip:find(1).town, Trip:find(1).startDay") == #"Tröndheim <b> & "c" 2024-02-29T00:00:00Z"#)
    #expect(
      try script.value("Trip:find(1).cost, Trip:find(1).done, Trip:find(1).at") == "1.5 true 2024-01-02T03:04:00Z")
    // Only LibreOffice computes formulas.
    #expect(
      try script.value("Trip:find(2).cost, Trip:find(2).done") == (writer == "openpyxl" ? "nil false" : "6.0 false"))
  }
}
