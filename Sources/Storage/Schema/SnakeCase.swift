/// `OrderItem` as `order_item`.
func snakeCase(_ name: String) -> String {
  var result = ""
  let characters = Array(name)
  for (index, character) in characters.enumerated() {
    if character.isUppercase, index > 0, result.last != "_" {
      let previous = characters[index - 1]
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      if !previous.isUppercase || next?.isLowercase == true { result += "_" }
    }
    result += character.lowercased()
  }
  return result
}
