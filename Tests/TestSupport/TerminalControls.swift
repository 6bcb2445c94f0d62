/// The characters that a terminal obeys: controls, ends of lines and marks that turn the writing direction.
public enum TerminalControls {
  /// All of them.
  public static let all =
    (Array(0..<0x20) + Array(0x7F..<0xA0) + [0x061C, 0x200E, 0x200F] + Array(0x2028...0x202E)
    + Array(0x2066...0x2069)).compactMap { Unicode.Scalar(UInt32($0)) }
}
