internal import Modeling

extension DataFile {
  /// Whether a file's name is that of rows, which are read here or by a program.
  public static func isNamed(_ path: String) -> Bool {
    Format(path: path) != nil || Readers.ofUser.reader(of: path) != nil
  }

  /// The rows that a program writes for the file. What the file would be called without that program says their format;
  /// otherwise they are JSON or CSV, by their first character.
  func read(by reader: Reader, shouldStop: @escaping () -> Bool) throws -> DataFile {
    var file = self
    let text = try ReaderRun.output(of: reader, for: path, shouldStop: shouldStop)
    (file.path, file.spooled) = (text.path, text)
    let name = Reader.contentName(of: path)
    file.entityName = DataFile(name).entityName
    file.format = Format(path: name) ?? (file.isJSON ? .json : .csv)
    return file
  }

  private var isJSON: Bool {
    head(256).first { ![0xEF, 0xBB, 0xBF, 9, 10, 13, 32].contains($0) }.map { [0x5B, 0x7B].contains($0) } ?? false
  }
}
