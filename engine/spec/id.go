package spec

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"chant/text"
)

// DateLayout is the format of the day in an id, in the local time zone of the machine that made the id.
const DateLayout = "2006-01-02"

// ID is a parsed spec id: [PREFIX-]YYYY-MM-DD-SSS-XXX[.N[.N…]].
type ID struct {
	Prefix  string // project prefix, may be empty
	Date    string // YYYY-MM-DD
	Seq     int    // position within the day, read in base 36; new ids use digits only, older ones letters as well
	Suffix  string // random base 36, keeps branches from colliding
	Members []int  // numbers below the driver, empty if the id has none
}

// IDError describes why a text cannot be a spec id.
type IDError struct{ ID, Msg string }

// Error quotes the id.
func (e *IDError) Error() string { return fmt.Sprintf("id %q %s", Echo(e.ID), e.Msg) }

var idForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(.+)-)?(\d{4}-\d{2}-\d{2})-([0-9a-z]{3,6})-([0-9a-z]{3})((?:\.\d{1,9})*)$`)
})

// ParseID reads an id. It returns an *IDError if the text does not have the form of an id.
func ParseID(text string) (ID, error) {
	m := idForm().FindStringSubmatch(text)
	if m == nil {
		return ID{}, &IDError{text, "does not have the form YYYY-MM-DD-SSS-XXX"}
	}
	seq, err := strconv.ParseInt(m[3], 36, 64)
	if err != nil {
		return ID{}, &IDError{text, "has a sequence that is not base 36"}
	}
	id := ID{Prefix: m[1], Date: m[2], Seq: int(seq), Suffix: m[4]}
	for part := range strings.SplitSeq(strings.TrimPrefix(m[5], "."), ".") {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return ID{}, &IDError{text, "has a member number that is too large"}
		}
		id.Members = append(id.Members, n)
	}
	return id, nil
}

// String returns the id as it is written in file names.
func (id ID) String() string {
	var b strings.Builder
	if id.Prefix != "" {
		b.WriteString(id.Prefix + "-")
	}
	fmt.Fprintf(&b, "%s-%s-%s", id.Date, formatSeq(id.Seq), id.Suffix)
	for _, n := range id.Members {
		fmt.Fprintf(&b, ".%d", n)
	}
	return b.String()
}

func formatSeq(n int) string {
	s := strconv.FormatInt(int64(n), 36)
	return strings.Repeat("0", max(0, 3-len(s))) + s
}

// NumberOf returns the number of an id within its day, by which commands find it: 003, or 003.1 of a member; "" of a name
// that is not an id.
func NumberOf(text string) string {
	// Lists ask for thousands of them, so no expression is matched.
	parts := strings.Split(text, "-")
	if len(parts) < 5 || len(parts[len(parts)-5]) != 4 {
		return ""
	}
	number := parts[len(parts)-2]
	if _, members, found := strings.Cut(parts[len(parts)-1], "."); found {
		number += "." + members
	}
	return number
}

// ValidName checks whether a text can be the name of a spec file and of a branch. It returns an *IDError if it cannot.
func ValidName(id string) error {
	switch {
	case id == "":
		return &IDError{id, "is empty"}
	// Names of branches and paths on some systems have limits near this one.
	case len(id) > 200:
		return &IDError{text.ClipBytes(id, 20), "is longer than 200 bytes"}
	case strings.Contains(id, ".."):
		return &IDError{id, `may not contain ".."`}
	case strings.HasPrefix(id, "-"), strings.HasPrefix(id, "."):
		return &IDError{id, `may not begin with "-" or "."`}
	// Git refuses such names of branches.
	case strings.HasSuffix(id, "."), strings.HasSuffix(id, ".lock"):
		return &IDError{id, `may not end in "." or ".lock"`}
	}
	for _, r := range id {
		// Each of these has a meaning in a shell, a path on Windows or a revision of git.
		if r == ' ' || unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|~^[]{}@`, r) {
			return &IDError{id, fmt.Sprintf("may not contain %q", r)}
		}
	}
	return nil
}

// nextSeq returns the first sequence after last that is written with digits only: 009, 010, …, 999, 1000.
func nextSeq(last int) int {
	// Digits sort before letters in base 36, so counting on in digits keeps the order.
	text := formatSeq(last + 1)
	at := strings.IndexFunc(text, func(r rune) bool { return r > '9' })
	if at < 0 {
		return last + 1
	}
	head := 0
	if at > 0 {
		// The text before at has only digits.
		head, _ = strconv.Atoi(text[:at])
	}
	next := fmt.Sprintf("%0*d", at, head+1) + strings.Repeat("0", len(text)-at)
	// Only digits.
	seq, _ := strconv.ParseInt(next, 36, 64)
	return int(seq)
}

// NewID returns the next id of a day, with suffix as its random end. Its sequence follows the highest one of that day
// among the existing ids, which include those in the archive.
func NewID(day time.Time, prefix, suffix string, existing []string) ID {
	date, last := day.Format(DateLayout), 0
	for _, text := range existing {
		// A search of the text is cheaper than parsing thousands of ids of other days.
		if !strings.Contains(text, date) {
			continue
		}
		if id, err := ParseID(text); err == nil && id.Date == date && id.Prefix == prefix {
			last = max(last, id.Seq)
		}
	}
	return ID{Prefix: prefix, Date: date, Seq: nextSeq(last), Suffix: suffix}
}

// NextMember returns the id for a new member of driver.
func NextMember(driver string, existing []string) string {
	next := 1
	for _, text := range existing {
		rest, ok := strings.CutPrefix(text, driver+".")
		if !ok {
			continue
		}
		// The id may be that of a member of a member.
		first, _, _ := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(first); err == nil {
			next = max(next, n+1)
		}
	}
	return fmt.Sprintf("%s.%d", driver, next)
}

// Compare orders ids by prefix, day, value of the sequence and suffix, then the driver before its members and members
// by number. Names that do not have the form of an id come last, by their text and then by member. Only equal texts are
// equal: "d.2" and "d.02" have an order too.
func Compare(a, b string) int {
	// Equal keys can come from different texts, such as "d.2" and "d.02", which need an order too.
	return cmp.Or(sortKey(a).compare(sortKey(b)), strings.Compare(a, b))
}

// SortIDs sorts ids in the order of Compare.
func SortIDs(ids []string) { SortByID(ids, func(id string) string { return id }) }

// SortByID sorts values by their ids in the order of Compare.
func SortByID[T any](list []T, id func(T) string) {
	// A list that is in order already needs no keys.
	if inByteOrder(list, id) {
		return
	}
	type sorted struct {
		key   key
		id    string
		value T
	}
	// Each id is read once and not in every comparison.
	all := make([]sorted, len(list))
	for i, value := range list {
		all[i] = sorted{sortKey(id(value)), id(value), value}
	}
	// Values with the same id keep their order.
	slices.SortStableFunc(all, func(a, b sorted) int { return cmp.Or(a.key.compare(b.key), strings.Compare(a.id, b.id)) })
	for i := range all {
		list[i] = all[i].value
	}
}

// inByteOrder reports whether all ids have the usual form and the order of their bytes, which then is that of Compare.
func inByteOrder[T any](list []T, id func(T) string) bool {
	last := ""
	for _, value := range list {
		this := id(value)
		if !isUsual(this) || last > this {
			return false
		}
		last = this
	}
	return true
}

// isUsual reports whether an id has the form YYYY-MM-DD-SSS-XXX, with members of one digit.
func isUsual(id string) bool {
	const date, stem = len(DateLayout), len(DateLayout) + len("-000-abc")
	if len(id) < stem || !isDate(id[:date]) || id[date] != '-' {
		return false
	}
	for i, c := range []byte(id[date+1 : stem]) {
		if dash := i == 3; dash && c != '-' || !dash && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	for rest := id[stem:]; rest != ""; rest = rest[2:] {
		// A member number of two digits would sort before one of one digit by its bytes.
		if len(rest) < 2 || rest[0] != '.' || rest[1] < '0' || rest[1] > '9' {
			return false
		}
	}
	return true
}

// Parent returns the id one level up, "d.2" for "d.2.1" and "d" for "d.2", and whether there is one.
func Parent(id string) (string, bool) {
	cut := strings.LastIndexByte(id, '.')
	if cut <= 0 || cut == len(id)-1 {
		return "", false
	}
	for _, c := range id[cut+1:] {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	return id[:cut], true
}

// MemberOf reports whether id is below driver at any level.
func MemberOf(id, driver string) bool {
	for parent, ok := Parent(id); ok; parent, ok = Parent(parent) {
		if parent == driver {
			return true
		}
	}
	return false
}

// key holds the parts of an id for sorting. It is read without regular expressions, because each call may sort ten
// thousand specs.
type key struct {
	formed  bool   // the text has the form of an id
	prefix  string // with its dash; everything before the members if not formed
	date    string
	seq     int64
	suffix  string
	members []int
}

func sortKey(text string) key {
	stem, members := text, []int(nil)
	for parent, ok := Parent(stem); ok; parent, ok = Parent(stem) {
		n, err := strconv.Atoi(stem[len(parent)+1:])
		if err != nil {
			break
		}
		members = append([]int{n}, members...)
		stem = parent
	}
	plain := key{prefix: stem, members: members}
	suffixAt := strings.LastIndexByte(stem, '-')
	if suffixAt < 0 {
		return plain
	}
	seqAt := strings.LastIndexByte(stem[:suffixAt], '-')
	// A prefix may contain dashes too, so only the parts at the end are certain.
	if seqAt < len(DateLayout) || !isDate(stem[seqAt-len(DateLayout):seqAt]) {
		return plain
	}
	seq, err := strconv.ParseInt(stem[seqAt+1:suffixAt], 36, 64)
	if err != nil {
		return plain
	}
	dateAt := seqAt - len(DateLayout)
	return key{true, stem[:dateAt], stem[dateAt:seqAt], seq, stem[suffixAt+1:], members}
}

// isDate reports whether a text of the length of DateLayout has the form of a day.
func isDate(text string) bool {
	for i := range len(text) {
		digit := text[i] >= '0' && text[i] <= '9'
		if dash := i == 4 || i == 7; dash && text[i] != '-' || !dash && !digit {
			return false
		}
	}
	return true
}

func (k key) compare(o key) int {
	if k.formed != o.formed {
		// Names that are no ids come last.
		if k.formed {
			return -1
		}
		return 1
	}
	if c := cmp.Or(strings.Compare(k.prefix, o.prefix), strings.Compare(k.date, o.date), cmp.Compare(k.seq, o.seq), strings.Compare(k.suffix, o.suffix)); c != 0 {
		return c
	}
	for i := range min(len(k.members), len(o.members)) {
		if c := cmp.Compare(k.members[i], o.members[i]); c != 0 {
			return c
		}
	}
	// The driver comes before its members.
	return cmp.Compare(len(k.members), len(o.members))
}

// Echo returns a text for quoting it in an error: the first 200 characters of it.
func Echo(typed string) string { return text.Clip(typed, 200) }
