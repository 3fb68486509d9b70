package attempt

import (
	"time"

	"chant/engine/criteria"
	"chant/markdown"
	"chant/providers/text"
)

// Summary returns the keys of front matter that sum up a verification. If there was nothing to verify, there is no
// date.
func Summary(at time.Time, status criteria.Status, failures []string) []markdown.Edit {
	verified := markdown.Set("last_verified", at.UTC().Format(time.RFC3339))
	if status == criteria.Nothing {
		verified = markdown.Unset("last_verified")
	}
	edits := []markdown.Edit{verified, markdown.Set("verification_status", string(status))}
	if len(failures) == 0 {
		return append(edits, markdown.Unset("verification_failures"))
	}
	return append(edits, markdown.Set("verification_failures", failures))
}

// FirstLine is the part of a reason that front matter has room for.
func FirstLine(why string) string { return text.Clip(text.FirstLine(why), 300) }
