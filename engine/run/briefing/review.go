package briefing

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/reviewed"
	"chant/text"
)

// Bounds of what the prompt says about reviews.
const (
	commentsNoted = 40      // the newest ones
	commentNoted  = 4 << 10 // bytes of a comment
)

// review quotes what people have commented on the spec and the work on it, "" without comments. A comment that was made
// while an agent worked is only in home's copy.
func (b *Briefing) review(s *spec.File) string {
	all := reviewed.In(s.Doc)
	if b.Store != nil && !b.Job.Silent {
		if home, err := b.Store.FromHome(s.ID); err == nil { // else the spec is only on its branch
			all = reviewed.Union(all, reviewed.In(home.Doc))
		}
	}
	return spellReview(all, b.lastOpened())
}

// lastOpened returns when the attempt before this one began, the zero time without one.
func (b *Briefing) lastOpened() time.Time {
	for _, a := range slices.Backward(b.History.Attempts) {
		if !a.Gone && a.Number != b.Job.Attempt {
			return a.Opened
		}
	}
	return time.Time{}
}

// spellReview is the part of the prompt about reviews. Comments from before the last attempt began were in the prompt
// of that attempt.
func spellReview(all []reviewed.Comment, last time.Time) string {
	if len(all) == 0 {
		return ""
	}
	var earlier, later []string
	for _, c := range all[max(0, len(all)-commentsNoted):] {
		entry := commentHead(c) + "\n\n" + spec.Fenced("", text.ClipBytes(c.Text, commentNoted))
		if !c.At.IsZero() && c.At.Before(last.Truncate(time.Minute)) {
			earlier = append(earlier, entry)
		} else {
			later = append(later, entry)
		}
	}
	out := "\n## Comments of people who have reviewed this spec and the work on it\n"
	if len(later) > 0 {
		out += "\nDo what each of these asks for, as far as the acceptance criteria allow it:\n\n" + strings.Join(later, "\n\n") + "\n"
	}
	if len(earlier) > 0 {
		out += "\nAn earlier attempt was given these, and what they ask for still has to be so at the end:\n\n" + strings.Join(earlier, "\n\n") + "\n"
	}
	return out
}

// commentHead names the author and the place of a comment.
func commentHead(c reviewed.Comment) string {
	out := "A person"
	if c.By != "" {
		out = text.Quote(c.By)
	}
	if c.File != "" {
		out += fmt.Sprintf(", about `%s`", c.Place())
	}
	return out + ":"
}
