package message

import (
	"slices"
	"strings"

	"chant/gitops"
	"chant/text"
)

// Record is an event of a spec as a commit records it in its trailers.
type Record struct{ ID, Event string }

// Join returns the message of a commit that records events: "chant(<id>): <events>" if all are of one spec, else
// "chant: <subject>", with the trailers of each spec after each other, and those of the numbers of new tasks.
func Join(subject string, records []Record, tasks ...string) string {
	// Several changes of one spec may record the same event in a row.
	records = slices.Compact(slices.Clone(records))
	var head, tail strings.Builder
	one := len(records) > 0 && !slices.ContainsFunc(records, func(r Record) bool { return r.ID != records[0].ID })
	for i, r := range records {
		if i == 0 || r.ID != records[i-1].ID {
			tail.WriteString(SpecTrailer + ": " + r.ID + "\n")
		}
		tail.WriteString(EventTrailer + ": " + r.Event + "\n")
		if one && i > 0 {
			head.WriteString(", ")
		}
		if one {
			head.WriteString(r.Event)
		}
	}
	for _, key := range tasks {
		tail.WriteString(TaskTrailer + ": " + key + "\n")
	}
	if one {
		return text.Printable("chant(" + records[0].ID + "): " + head.String() + "\n\n" + tail.String())
	}
	// Without records and tasks there is no paragraph of trailers.
	return text.Printable(strings.TrimRight("chant: "+subject+"\n\n"+tail.String(), "\n") + "\n")
}

// Records lists the events that a commit records, in order, of all specs that it names. Anyone can write such trailers.
func Records(c gitops.Commit) []Record {
	if c.Trailers[SpecTrailer] == "" {
		return nil
	}
	var out []Record
	id := ""
	// git's own reading keeps one value for each key, and the order of specs and events counts here.
	_, lines, _ := cutLast(strings.TrimRight(c.Message, "\n"), "\n\n")
	for line := range strings.SplitSeq(lines, "\n") {
		switch key, value, _ := strings.Cut(line, ":"); key {
		case SpecTrailer:
			id = strings.TrimSpace(value)
		case EventTrailer:
			out = append(out, Record{id, strings.TrimSpace(value)})
		}
	}
	return out
}

// Tasks lists the numbers of the tasks that a commit creates.
func Tasks(c gitops.Commit) []string {
	var out []string
	for line := range strings.SplitSeq(c.Message, "\n") {
		if key, value, _ := strings.Cut(line, ":"); key == TaskTrailer {
			out = append(out, strings.TrimSpace(value))
		}
	}
	return out
}

func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}
