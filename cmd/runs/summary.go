package runs

import (
	"fmt"
	"io"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/engine/evidence/criteria"
	"chant/engine/run/usage"
	"chant/engine/spec/next"
	"chant/engine/work/queue"
	"chant/text"
)

// renderWorkAll prints what became of each spec, what it took, and what a person has to do, so that it can be read the
// next morning: times are absolute.
func renderWorkAll(w io.Writer, r queue.WorkAllResult) {
	for _, c := range r.Completed {
		if c.PullRequest != "" {
			fmt.Fprintf(w, "proposed   %s  %s\n", c.ID, c.Title)
			detail(w, "it lands once this is merged: "+c.PullRequest, accountText(c.Account))
			continue
		}
		fmt.Fprintf(w, "%-10s %s  %s%s\n", landedWord(c.Landed), c.ID, c.Title, nothingMark(c.Verification))
		detail(w, accountText(c.Account))
	}
	for _, f := range r.Failed {
		fmt.Fprintf(w, "failed     %s  %s\n", f.ID, f.Reason)
		detail(w, f.Title, accountText(f.Account))
		if !f.Next.IsZero() {
			detail(w, "next: "+f.Next.String())
		}
	}
	for _, s := range r.Paused {
		fmt.Fprintf(w, "paused     %s  %s\n", s.ID, s.Title)
		detail(w, "next: "+next.Work.On(s.ID).String())
	}
	for _, s := range r.Waiting {
		fmt.Fprintf(w, "waiting    %s  for %s\n", s.ID, s.For)
		detail(w, s.Title)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped    %s  %s\n", s.ID, s.Why)
	}
	for _, s := range r.Held {
		fmt.Fprintf(w, "held back  %s  behind %s, which has target files in common\n", s.ID, s.Behind)
	}
	if !r.BeganAt.IsZero() {
		fmt.Fprintf(w, "from %s to %s\n", text.LocalTime(r.BeganAt), text.LocalTime(r.BeganAt.Add(time.Duration(r.Seconds*float64(time.Second)))))
	}
	fmt.Fprintln(w, summaryLine(r))
}

// detail prints what is known of a spec below its line; nothing if nothing is.
func detail(w io.Writer, parts ...string) {
	var known []string
	for _, part := range parts {
		if part != "" {
			known = append(known, part)
		}
	}
	if len(known) > 0 {
		fmt.Fprintf(w, "           %s\n", strings.Join(known, "; "))
	}
}

// accountText says what a spec took, such as "2 attempts, 5m10s, 12k tokens in, 3k out, $0.42; ended 2026-11-26 05:10".
func accountText(a queue.Account) string {
	var parts []string
	if a.Attempts > 0 {
		parts = append(parts, console.Plural(a.Attempts, "attempt"))
	}
	if a.Elapsed > 0 {
		parts = append(parts, span(a.Elapsed))
	}
	if a.Spent != nil {
		parts = append(parts, spentText(*a.Spent)...)
	}
	said := strings.Join(parts, ", ")
	if a.EndedAt.IsZero() {
		return said
	}
	return strings.TrimPrefix(said+"; ended "+text.LocalTime(a.EndedAt), "; ")
}

// spentText says what agents used, as far as it is known.
func spentText(s usage.Spending) []string {
	var parts []string
	if in := s.Input + s.CachedInput + s.CacheWrites; in+s.Output > 0 {
		parts = append(parts, text.Amount(in)+" tokens in", text.Amount(s.Output)+" out")
	}
	if s.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("$%.2f", *s.CostUSD))
	}
	return parts
}

// span is a time in seconds as people read it: 0.4s, 12s, 1h5m10s.
func span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// nothingMark says behind the title of a completed spec that there was nothing to verify.
func nothingMark(status criteria.Status) string {
	if status != criteria.Nothing {
		return ""
	}
	return "  (" + string(status) + ")"
}

func landedWord(landed bool) string {
	if landed {
		return "landed"
	}
	return "completed"
}
