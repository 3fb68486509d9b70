package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// NotFoundError reports that no spec matches a text. Near is an id that was probably meant, "" if none is near.
type NotFoundError struct{ ID, Near string }

// Error quotes the text.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no spec matches %q", Echo(e.ID)) + DidYouMean(e.Near)
}

// AmbiguousError reports that several specs match a text.
type AmbiguousError struct {
	ID         string
	Candidates []string
}

// Error lists at most eight candidates.
func (e *AmbiguousError) Error() string {
	shown, more := e.Candidates, ""
	if len(shown) > 8 {
		shown, more = shown[:8], fmt.Sprintf(" and %d more", len(e.Candidates)-8)
	}
	return fmt.Sprintf("id %q matches %d specs: %s%s", Echo(e.ID), len(e.Candidates), strings.Join(shown, ", "), more)
}

// Resolve returns the id that a person or an agent means by a text. The first rule that matches is used:
//
//  1. the id itself;
//  2. the only id that ends in the text, but for a number without its zeros, such as 1 or 1.2, first the only one with that
//     number, today or else on any day; if several have it, no id that ends in it;
//  3. SSS: that sequence of today;
//  4. MM-DD-SSS or DD-SSS: that sequence of that day;
//  5. the only id that contains the text.
//
// Rules 3 to 5 ignore members whose driver matches too. The errors are *IDError, *NotFoundError and *AmbiguousError.
func Resolve(text string, ids []string, today time.Time) (string, error) {
	// A leading dot or dash can be the beginning of a part of an id.
	if err := ValidName(strings.TrimLeft(text, ".-")); err != nil || strings.Contains(text, "..") {
		return "", &IDError{text, "is not a spec id or a part of one"}
	}
	if slices.Contains(ids, text) {
		return text, nil
	}
	// A number of one or two digits is a sequence, before ids that only happen to end in it.
	var numbered []string
	if number := fullNumber(text); number != "" {
		numbered = filter(ids, func(id string) bool { return NumberOf(id) == number })
		for _, hits := range [][]string{headsOf(matchDay(number, ids, today)), numbered} {
			if len(hits) == 1 {
				return hits[0], nil
			}
		}
	}
	// If several ids have that number, an id that only happens to end in it is not meant: that the number is ambiguous is said below.
	if hits := filter(ids, func(id string) bool { return strings.HasSuffix(id, text) }); len(hits) == 1 && len(numbered) == 0 {
		return hits[0], nil
	}
	for _, hits := range [][]string{
		matchDay(text, ids, today),
		numbered,
		filter(ids, func(id string) bool { return strings.Contains(id, text) }),
	} {
		switch hits = headsOf(hits); len(hits) {
		case 0:
		case 1:
			return hits[0], nil
		default:
			slices.SortFunc(hits, Compare)
			return "", &AmbiguousError{text, hits}
		}
	}
	return "", &NotFoundError{text, Nearest(text, ids)}
}

// fullNumber returns a number of one or two digits, with optional members behind it, as ids have it: 001 for 1, 001.2 for
// 1.2; "" for any other text.
func fullNumber(text string) string {
	head, members, isMember := strings.Cut(text, ".")
	n, err := strconv.ParseUint(head, 10, 8)
	if err != nil || len(head) > 2 {
		return ""
	}
	if isMember {
		members = "." + members
	}
	return fmt.Sprintf("%03d", n) + members
}

var dayForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((?:\d{2}-)?\d{2}-)?([0-9a-z]{3})((?:\.\d+)*)$`)
})

// matchDay returns the ids that SSS, DD-SSS or MM-DD-SSS names, each with optional member numbers.
func matchDay(text string, ids []string, today time.Time) []string {
	m := dayForm().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	day := strings.TrimSuffix(m[1], "-")
	if day == "" {
		day = today.Format(DateLayout)
	}
	middle := "-" + day + "-" + m[2] + "-"
	return filter(ids, func(id string) bool {
		at := strings.Index("-"+id, middle)
		if at < 0 {
			return false
		}
		// A member is named without the random end of its driver.
		suffix, _, _ := strings.Cut(("-" + id)[at+len(middle):], ".")
		return m[3] == "" || strings.HasSuffix(id, "-"+suffix+m[3])
	})
}

// headsOf returns the ids without those whose driver is in the list too.
func headsOf(ids []string) []string {
	return filter(ids, func(id string) bool {
		return !slices.ContainsFunc(ids, func(other string) bool { return MemberOf(id, other) })
	})
}

func filter(ids []string, keep func(string) bool) []string {
	var out []string
	for _, id := range ids {
		if keep(id) {
			out = append(out, id)
		}
	}
	return out
}
