package providers

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"chant/text"
)

// pendingLimit bounds what is kept of a line that has not ended yet, in bytes.
const pendingLimit = 400

// pending is the beginning of the line that a pipe is in the middle of. A program
// that asks something stops there.
type pending struct {
	mu   sync.Mutex
	text []byte
	told bool
}

// add takes what came from the pipe.
func (p *pending) add(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Only the line that has not ended can be a question that waits.
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		p.text, b = p.text[:0], b[i+1:]
	}
	// What is beyond the limit is too long for a question.
	p.text = append(p.text, b[:min(len(b), pendingLimit-len(p.text))]...)
	p.told = false
}

// takePending returns the text that was not reported yet, "" if there is none.
func (p *pending) takePending() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := text.Line(bytes.TrimSpace(p.text))
	if p.told {
		return ""
	}
	p.told = true
	return text
}

// markUnreported makes take return the same text again.
func (p *pending) markUnreported() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = false
}

// Asks reports whether a line of a CLI reads like a question to the person before
// the terminal: a permission, a login, a folder to trust. It is a guess, good enough
// to show the line to a person, and for nothing else.
func Asks(line string) bool {
	return len(line) <= pendingLimit && mayAsk(line) && question().MatchString(line)
}

// mayAsk reports whether a line has one of the words without which question never matches. The expression takes 40 µs for
// a line of 80 bytes, and every line of every agent is looked at.
func mayAsk(line string) bool {
	lower := strings.ToLower(line)
	for _, word := range []string{
		"y/n", "yes/no", "do you ", "press ", "log in", "login", "sign in", "signin", "logged in", "waiting for ", "needs ", "requires ", "awaiting ", "open ", "visit ",
		"enter ", "password", "passphrase", "username for", "are you sure",
	} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// stopsToAsk is Asks for a line that has not ended: there a mere "Name:" asks too.
func stopsToAsk(text string) bool {
	return text != "" && (strings.ContainsAny(text[len(text)-1:], "?:>])") || Asks(text))
}

// question matches what CLIs are known to ask with. It is compiled when an agent first prints a line.
var question = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)` +
		`[\[(](y/n|yes/no)\b` +
		`|\bdo you (trust|want to (allow|proceed|continue|make this edit|run))\b` +
		`|\bpress (enter|any key|return) to\b` +
		`|\bplease (log|sign) ?in\b|\brun /login\b|\bnot logged in\b|\blogin required\b` +
		`|\bwaiting for (your |user )?(authorization|authentication|approval|login|permission|confirmation)\b` +
		`|\b(needs|requires|awaiting) (your |user )?(approval|permission|confirmation)\b` +
		`|\b(open|visit) (this|the following) (url|link|page)\b` +
		`|\benter (your |the )?(password|passphrase|api key|token|verification code|code)\b` +
		`|\b(password|passphrase)( for [^:]*)?: *$|\busername for '` +
		`|\bare you sure you want to continue connecting\b`)
})
