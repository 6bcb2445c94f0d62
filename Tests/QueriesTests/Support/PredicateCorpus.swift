/// Predicates of the kinds that applications have: mail, music, calendars, shops, maps, health, chats, notes.
enum PredicateCorpus {
  static let texts: [String] = lines.split(separator: "\n").map(String.init)

  private static let lines = #"""
    TRUEPREDICATE
    FALSEPREDICATE
    name == 'Ada'
    name = "Ada Lovelace"
    name ==[c] 'ada'
    name ==[cd] 'ADÁ'
    name != nil
    name == nil OR name == ''
    lastName BEGINSWITH[c] 'Mc'
    lastName beginswith 'O\'B'
    email ENDSWITH '@example.org'
    email ENDSWITH[c] ".ORG" AND verified == YES
    title CONTAINS[cd] 'naïve'
    title CONTAINS[cdl] $text
    subject LIKE 'Re: *'
    subject LIKE[c] '*invoice ????-??*'
    zip MATCHES '[0-9]{5}'
    zip MATCHES "\\d{5}(-\\d{4})?"
    phone MATCHES '^\\+?[0-9 ]+$'
    firstName CONTAINS[cd] $q OR lastName CONTAINS[cd] $q OR email CONTAINS[cd] $q
    (firstName BEGINSWITH[c] $q OR lastName BEGINSWITH[c] $q) AND isDeleted == NO
    NOT (name BEGINSWITH 'tmp')
    NOT name BEGINSWITH 'tmp' AND NOT name ENDSWITH '~'
    !(archived == YES) && !(hidden == YES)
    age >= 18
    age >= 18 AND age < 65
    age BETWEEN {18, 64}
    NOT age BETWEEN {18, 64}
    age => 18 && age =< 65
    age <> 30
    price * quantity > 100
    price * (1 - discount) >= 9.99
    (price - cost) / price > 0.25
    total == subtotal + tax
    total - paid > 0 AND dueDate < now()
    -balance > 500
    width / height > 1.5 OR height / width > 1.5
    abs(latitude - 52.5) < 0.1 AND abs(longitude - 13.4) < 0.1
    latitude BETWEEN {52.3, 52.7} AND longitude BETWEEN {13.0, 13.8}
    latitude > $south AND latitude < $north AND longitude > $west AND longitude < $east
    sqrt((x - 3) ** 2 + (y - 4) ** 2) < 5
    modulus:by:(number, 2) == 0
    (flags & 4) == 4
    (flags & $mask) != 0
    (permissions | 1) == permissions
    flags ^ 1 == 0
    onesComplement:(flags) & 255 > 0
    bitwiseAnd:with:(flags, 2) != 0
    leftshift:by:(1, level) > 8
    status == 1 OR status == 2 OR status == 3
    status IN {1, 2, 3}
    status IN {'open', 'pending', "on hold"}
    NOT (status IN {'closed', 'deleted'})
    NOT status IN {'closed'}
    identifier IN $identifiers
    NOT (identifier IN $known)
    kind IN[c] {'Cat', 'DOG'}
    category.identifier IN {4, 8, 15, 16, 23, 42}
    parent == nil
    parent != nil AND parent.parent == nil
    SELF == $object
    SELF != $object
    SELF IN $objects
    NOT (SELF IN $objects)
    self.name == 'x'
    owner == $user
    owner.name == 'Ada' AND owner.address.city == 'London'
    folder.account.user.identifier == $me
    album.artist.name CONTAINS[cd] 'bach' AND album.year < 1750
    playlist == $playlist AND track.genre.name != 'Podcast'
    ANY tags.name == 'urgent'
    ANY tags.name IN {'urgent', 'today'}
    ANY tags == $tag
    SOME tags.name BEGINSWITH[c] 'proj'
    ALL items.isDone == YES
    NONE items.isDone == NO
    NONE tags.name == 'private'
    NOT ANY tags.name == 'private'
    ANY tags.name == 'a' AND ANY tags.name == 'b'
    ANY recipients.address ENDSWITH '@example.com' AND NONE attachments.size > 1000000
    ANY authors.books.title CONTAINS[c] 'moon'
    ANY orders.lines.product.category.name == 'Toys'
    ALL orders.lines.price > 0
    tags.@count == 0
    tags.@count > 0 AND tags.@count <= 5
    items.@count >= $least
    items.@sum.price > 100
    items.@avg.rating >= 4.5
    items.@min.price < 1 AND items.@max.price > 1000
    @sum.items.price > 100
    lines.@sum.quantity * 2 > stock
    orders.@max.date > CAST('2024-01-01', 'NSDate')
    authors.books.@count > 3
    readings.@distinctUnionOfObjects.sensor.@count == 2
    'red' IN colours.name
    'red' IN cars.@unionOfObjects.colour
    $colour IN cars.@distinctUnionOfObjects.colour
    'x' IN authors.@distinctUnionOfArrays.books.title
    authors.@unionOfSets.books.@count > 10
    messages.@count - messages.@distinctUnionOfObjects.sender.@count > 0
    SUBQUERY(items, $i, $i.price > 10).@count > 0
    SUBQUERY(items, $i, $i.price > 10 AND $i.isDone == NO).@count == 0
    SUBQUERY(items, $item, $item.name CONTAINS[cd] $text OR $item.note CONTAINS[cd] $text).@count != 0
    SUBQUERY(tags, $t, $t.name IN $names).@count == 2
    SUBQUERY(friends, $f, $f.age > SELF.age).@count >= 1
    SUBQUERY(friends, $f, SUBQUERY($f.pets, $p, $p.kind == 'cat').@count > 0).@count > 0
    SUBQUERY(friends, $f, ANY $f.pets.kind == 'dog').@count > 2
    SUBQUERY(lines, $l, $l.price > 10).@sum.price > 100
    SUBQUERY(lines, $l, $l.price > 10).price CONTAINS 12
    SUBQUERY(chapters, $c, $c.pages.@count > 20).@count BETWEEN {1, 3}
    SUBQUERY(events, $e, $e.start < $to AND $e.end > $from).@count == 0
    SUBQUERY(SUBQUERY(a, $x, $x.b > 1), $y, $y.c < 2).@count > 0
    participants.@count == 2 AND SUBQUERY(participants, $p, $p IN $users).@count == 2
    start < $end AND end > $start
    start >= $from AND start < $to AND calendar.isVisible == YES
    start BETWEEN {$from, $to}
    date > CAST(700000000, 'NSDate')
    date >= CAST('2024-01-22T16:26:12Z', "NSDate") AND date < CAST("2024-01-23", 'NSDate')
    date > now() - 86400
    now() - date < 3600 * 24 * 7
    end - start > 3600
    createdAt + 60 < updatedAt
    year(date) == 2024
    year(date) == 2024 AND month(date) == '2024-02'
    day(date) == '2024-02-29' OR weekday(date) == 1
    hour(time) BETWEEN {9, 17} AND weekday(time) IN {2, 3, 4, 5, 6}
    FUNCTION(now(), 'timeIntervalSinceDate:', lastSeen) > 300
    FUNCTION(start, 'dateByAddingTimeInterval:', 3600) < end
    CAST(FUNCTION(now(), 'timeIntervalSinceReferenceDate'), 'NSNumber') > 0
    length(name) > 10
    length(trim(name)) == 0
    lowercase(code) == 'abc'
    uppercase(country) IN {'DE', 'AT', 'CH'}
    canonical(name) BEGINSWITH canonical($prefix)
    FUNCTION(name, 'length') BETWEEN {3, 20}
    FUNCTION(email, 'hasSuffix:', '.edu') == YES
    FUNCTION(code, 'uppercaseString') == code
    noindex:(country) == 'DE' AND city == 'Bonn'
    CAST(number, 'NSString') BEGINSWITH '49'
    CAST(amount, 'NSDecimalNumber') > 1.10
    CAST('F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6', 'NSUUID') == identifier
    CAST(text, 'NSNumber') > 5
    TERNARY(nickname != nil, nickname, name) == 'Bob'
    TERNARY(isMember == YES, memberPrice, price) < 20
    TERNARY(a > b, a, b) - TERNARY(a < b, a, b) > 10
    TERNARY(a > 0, TERNARY(b > 0, 1, 2), 3) IN {1, 3}
    TERNARY(owner == nil, creator, owner).name == 'Ada'
    max({width, height}) > 1024
    min({a, b, c}) == 0 OR sum({a, b, c}) > 100
    average({#first, #last}) >= 3
    median({1, 2, x}) == 2
    {width, height}.@max.self > 1024
    {1, 2, 3} CONTAINS level
    ANY {1, 2, 3} == level
    reports[0].score > 3
    reports[FIRST].score > reports[LAST].score
    reports[SIZE] > 2
    steps[count - 1].isDone == YES
    tracks[#size] == nil
    #size > 1024
    #size BETWEEN {1, 10} AND #first == YES
    document.#size > 1024 AND document.#in == nil
    #"first name" == 'Ada'
    #"first name".#"last-name" == "x"
    größe > 3 AND straße BEGINSWITH 'Haupt'
    名前 CONTAINS '太郎'
    mood == '😀' OR mood == "\U0001F600"
    path CONTAINS "C:\\Temp"
    quote == "\"yes\""
    text CONTAINS "\n" OR text CONTAINS '\t'
    letter == '\u00e9' OR letter == '\x41' OR letter == '\101'
    note == '%@' AND note != '$var'
    colour == 0xff00ff
    mode == 0o755 AND mask == 0b1010
    distance < 1.5e3
    distance < .5 OR distance > 2.
    ratio == -0.0
    big == 9223372036854775807 AND bigger == 9223372036854775808
    small == -9223372036854775808
    x == +5 AND y == -5 AND z == - 5
    a + b + c == d
    a - b - c == a - (b - c)
    a / b / c == a / (b / c)
    a ** b ** c > 1
    a * (b + c) * d != 0
    -(a + b) < 0
    - -a == a
    a & 3 == 1 AND a | 4 > a
    (a == 1)
    ((a == 1) AND ((b == 2)))
    (a == 1 OR b == 2) AND (c == 3 OR d == 4)
    a == 1 OR b == 2 AND c == 3 OR d == 4 AND e == 5
    NOT (a == 1 AND b == 2) OR NOT (c == 3)
    NOT NOT a == 1
    !!(a == 1)
    a == 1 && b == 2 || c == 3 && !(d == 4)
    a == 1 and b == 2 or not c == 3
    $a == $b
    $a.name == name
    $list CONTAINS name
    'a' IN name AND name IN 'abc'
    5 < age
    nil == parent
    YES == isDone
    isDone == true AND isOpen == FALSE AND isNew == yes AND isOld == No
    TRUEPREDICATE AND (FALSEPREDICATE OR name != NULL)
    fileType UTI-EQUALS 'public.jpeg'
    chat.messages.@max.date > chat.readDate
    chat.members CONTAINS $me AND NOT (chat.mutedBy CONTAINS $me)
    (sender == $me AND receiver == $you) OR (sender == $you AND receiver == $me)
    sender != $me AND isRead == NO AND deletedAt == nil
    heartRate BETWEEN {40, 180} AND source.name != 'Manual'
    workout.type == 37 AND workout.duration > 1800 AND ANY workout.laps.distance >= 1000
    recipe.ingredients.@count < 6 AND NONE recipe.ingredients.food.allergens.code IN {'G', 'N'}
    product.prices.@min.amount < 10 AND SUBQUERY(product.prices, $p, $p.currency.code ==[c] 'eur').@count > 0
    branch == nil OR branch.region.country.code IN {'NO', 'SE', 'DK'}
    task.dueDate != nil AND task.dueDate < $today AND task.doneDate == nil AND NONE task.blockers.doneDate == nil
    level >= 3 AND (class LIKE[c] 'wiz*' OR ANY skills.name ==[c] 'magic') AND guild.members.@avg.level > 10
    parts.richter > 4.5 AND info.a.b == 5
    entry.amount * TERNARY(entry.isDebit == YES, -1, 1) > 0
    year($from) <= year(date) AND year(date) <= year($to)
    ANY children.name ==[n] $name OR ALL children.age >= 18
    score + bonus * 2 - penalty / 3 ** 2 >= limit
    person.birthday + 18 * 31557600 <= now()
    title LIKE '\\*starred\\*' OR title LIKE '100%'
    items.@count == items.@distinctUnionOfObjects.name.@count
    {a, b}.name CONTAINS 'x'
    objectFrom:withIndex:(reports, FIRST) != nil
    castObject:toType:(amount, 'NSString') LIKE '1*'
    add:to:(multiply:by:(a, 2), from:subtract:(b, 1)) > divide:by:(c, 3)
    raise:toPower:(2, n) > 1024 AND trunc:(x) == floor:(x) AND ceiling:(x) > round(x)
    ln(x) > 1 OR log:(x) > 1 OR exp(x) < 1
    stddev(readings.value) > 2 AND mode(readings.value) == 0
    """#
}
