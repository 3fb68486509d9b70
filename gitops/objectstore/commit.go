package objectstore

import (
	"strconv"
	"strings"
	"time"
)

// Commit is one commit. Subject is the first line of Message; Trailers are the
// "Key: value" lines that end it (the last of a repeated key counts); Author is
// "Name <mail>" and When is the time of the commit itself, which a rebase renews.
type Commit struct {
	Hash     string
	Parents  []string
	Tree     string
	Subject  string
	Message  string
	Trailers map[string]string
	Author   string
	When     time.Time
	Encoding string // of Message, "" for UTF-8; only ParseCommit fills it in
}

// ParseRecord reads a commit as git prints it with the format %H%n%P%n%T%n%an <%ae>%n%ct%n%B.
func ParseRecord(record string) Commit {
	fields := strings.SplitN(record, "\n", 6)
	// A record that is cut short must not panic: its missing fields are empty.
	fields = append(fields, make([]string, 6-len(fields))...)
	c := Commit{Hash: fields[0], Parents: strings.Fields(fields[1]), Tree: fields[2], Author: fields[3]}
	c.When = parseSeconds(fields[4])
	c.setMessage(fields[5])
	return c
}

// ParseCommit reads a commit object: header lines, an empty line, the message.
func ParseCommit(hash string, raw []byte) Commit {
	header, message, _ := strings.Cut(string(raw), "\n\n")
	c := Commit{Hash: hash}
	for line := range strings.SplitSeq(header, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "encoding":
			c.Encoding = value
		case "author":
			// A name may contain "<" and blanks, so the mail is found by the last ">".
			c.Author = value[:strings.LastIndexByte(value, '>')+1]
		case "committer":
			c.When = parseSeconds(value[strings.LastIndexByte(value, '>')+1:])
		}
	}
	c.setMessage(message)
	return c
}

// parseSeconds reads the seconds that begin text.
func parseSeconds(text string) time.Time {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	seconds, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

func (c *Commit) setMessage(message string) {
	c.Message = message
	c.Subject, _, _ = strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	c.Trailers = Trailers(message)
}

// Trailers reads the last paragraph of a message, if it is not the first and consists of
// "Key: value" lines alone; an indented line continues the value above.
func Trailers(message string) map[string]string {
	message = strings.TrimRight(message, "\n")
	cut := strings.LastIndex(message, "\n\n")
	if cut < 0 {
		return nil
	}
	found, last := map[string]string{}, ""
	for line := range strings.SplitSeq(message[cut+2:], "\n") {
		// An indented line continues the value above.
		if last != "" && strings.HasPrefix(line, " ") {
			found[last] += " " + strings.TrimSpace(line)
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(key) {
			// One line that is no trailer makes the whole paragraph text, as for git.
			return nil
		}
		last = key
		found[key] = strings.TrimSpace(value)
	}
	return found
}

// isToken reports whether key can name a trailer: letters, digits and dashes.
func isToken(key string) bool {
	for _, c := range key {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return key != ""
}
