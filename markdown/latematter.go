package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// LateMatter is a block of keys that a person will have meant as the front matter of a document, and that is text.
type LateMatter struct {
	Line  int       // of its first fence, in the file, from 1
	Keys  []string  // those at its top level
	Moved *Document // the document with the block as its front matter; nil if it has one already, or if that cannot be read
}

// strayFence matches a line that could be meant to begin or end a front matter: dashes of any length, which programs make
// of "---", other rules, and the fences of TOML and of code in YAML.
var strayFence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:-{3,}(?:[ \t]*(?i:ya?ml|toml|json))?|\\*{3,}|_{3,}|={3,}|~{3,}|-*[–—―−]+[-–—―−]*|\\+{3}|(?:```|~~~)(?i:ya?ml|toml)?)(?:[ \t]+#.*)?$")
})

// topKey matches a line with a key at the top level.
var topKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^["']?([A-Za-z][\w-]*)["']?[ \t]*[:=](?:[ \t]|$)`) })

// keyPart matches a line that can continue the value of a key: a list, a mapping, a comment or the end of one in brackets.
var keyPart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[ \t]+\S|- |#|[\]}]|[ \t]*$)`) })

// LateMatter finds the block before which the body has nothing but blank lines, characters that cannot be seen, comments
// and one heading. The line that begins it may be missing.
func (d *Document) LateMatter() (LateMatter, bool) {
	at, comment := d.body, false
	var before []byte // what is kept in front of the body if the block moves
	titled := false
	for ; at < len(d.src); at = lineEnd(d.src, at) {
		line := d.src[at:lineEnd(d.src, at)]
		text := trimInvisible(line)
		switch {
		case comment || strings.HasPrefix(text, "<!--"):
			comment = !strings.Contains(text, "-->")
		case text == "":
			continue
		case !titled && strings.HasPrefix(text, "#"):
			titled = true
		// Below the title, a fence of code is an example, and other lines are rules.
		case strayFence().MatchString(text) && !(titled && strings.ContainsAny(text, "`~*_=+")):
			return d.lateMatter(at, lineEnd(d.src, at), before)
		// Behind a front matter, a line with a colon is text.
		case !titled && !d.hasKeys() && topKey().MatchString(strings.TrimRight(text, " \t")):
			return d.lateMatter(at, at, before)
		default:
			return LateMatter{}, false
		}
		before = append(before, line...)
	}
	return LateMatter{}, false
}

// hasKeys reports whether there is a front matter with keys.
func (d *Document) hasKeys() bool {
	have, err := d.Keys()
	return err != nil || len(have) > 0
}

// lateMatter reads the block that begins at an offset, with its keys from another one on, which is the same one if no fence
// is above them.
func (d *Document) lateMatter(at, first int, before []byte) (LateMatter, bool) {
	late := LateMatter{Line: bytes.Count(d.src[:at], []byte("\n")) + 1}
	var keys [][]byte
	end := first
	for closed := false; end < len(d.src) && !closed; end = lineEnd(d.src, end) {
		line := d.src[end:lineEnd(d.src, end)]
		text := trimInvisible(line)
		if closed = strayFence().MatchString(text); closed {
			continue
		}
		if strings.HasPrefix(text, "# ") || strings.HasPrefix(text, "## ") {
			// The block has no end.
			break
		}
		if first == at && !topKey().MatchString(text) && !keyPart().Match(bytes.TrimRight(line, "\r\n")) {
			// A sentence with a colon began it.
			return LateMatter{}, false
		}
		if m := topKey().FindSubmatch(bytes.TrimRight(line, " \t\r\n")); m != nil {
			late.Keys = append(late.Keys, string(m[1]))
		}
		keys = append(keys, line)
	}
	if !d.hasKeys() {
		eol := []byte(d.eol())
		fence := slices.Concat([]byte("---"), eol)
		src := slices.Concat(fence, bytes.Join(keys, nil), fence, before, d.src[end:])
		if moved, err := parse(d.path, src); err == nil {
			// It is moved only if all of its keys read as keys then.
			if read, err := moved.Keys(); err == nil && slices.Equal(read, late.Keys) {
				late.Moved = moved
			}
		}
	}
	return late, len(late.Keys) > 0
}

// trimInvisible returns a line without white space around it and without the characters that no editor shows.
func trimInvisible(line []byte) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		// These are byte order marks, joiners and marks of direction.
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, string(line)))
}
