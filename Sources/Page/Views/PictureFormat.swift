/// The formats of pictures that pages show, by the first bytes of a value. SVG is not among them, because it may hold scripts.
enum PictureFormat: String {
  case png, jpeg, gif, webp

  init?(_ bytes: [UInt8]) {
    func begins(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .gif
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webp
    } else {
      return nil
    }
  }

  var mediaType: String { "image/" + rawValue }
}
