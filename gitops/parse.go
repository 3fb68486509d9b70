package gitops

import (
	"strconv"
	"strings"
	"time"
)

// after is the mode and the content that ":oldmode newmode oldhash newhash status"
// leads to.
func after(info string) (mode, hash string, ok bool) {
	parts := strings.Fields(info)
	if len(parts) != 5 {
		return "", "", false
	}
	return parts[1], parts[3], true
}

// parseRecord reads one record of Log's format.
func parseRecord(record string) Commit {
	fields := strings.SplitN(record, "\n", 6)
	fields = append(fields, make([]string, 6-len(fields))...)
	c := Commit{Hash: fields[0], Parents: strings.Fields(fields[1]), Tree: fields[2], Author: fields[3]}
	c.When = unix(fields[4])
	c.setMessage(fields[5])
	return c
}

// parseCommit reads a commit object: header lines, an empty line, the message.
func parseCommit(hash string, raw []byte) Commit {
	header, message, _ := strings.Cut(string(raw), "\n\n")
	c := Commit{Hash: hash}
	for line := range strings.SplitSeq(header, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author = value[:strings.LastIndexByte(value, '>')+1]
		case "committer":
			c.When = unix(value[strings.LastIndexByte(value, '>')+1:])
		}
	}
	c.setMessage(message)
	return c
}

// unix reads the seconds that begin text.
func unix(text string) time.Time {
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
	c.Trailers = trailers(message)
}
