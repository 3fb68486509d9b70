package wall

import (
	"fmt"
	"slices"
	"strings"
)

// profile is the policy in the language of sandbox-exec, in which the last rule that matches counts. Files that are
// named are literals and folders subpaths; since a path may be either, each is written as both.
func (p Policy) profile() string {
	var b strings.Builder
	b.WriteString("(version 1)\n(allow default)\n(deny file-write*)\n")
	for _, path := range p.Writable() {
		b.WriteString(paths("allow", "file-write*", path))
	}
	b.WriteString("(allow file-write* (literal \"/dev/dtracehelper\"))\n")
	// Terminals have names of their own on macOS, and only those of the user can be opened.
	verb := "deny"
	if p.Private && p.Terminals {
		verb = "allow"
	}
	fmt.Fprintf(&b, "(%s file-read* file-write* (regex #\"^/dev/ttys[0-9]+$\"))\n", verb)
	// The last rule that matches counts, so exceptions follow what they are exceptions from.
	if p.Read != nil {
		b.WriteString("(deny file-read-data)\n")
		for _, path := range p.Read {
			b.WriteString(paths("allow", "file-read*", path))
		}
	}
	for _, path := range p.Hide {
		b.WriteString(paths("deny", "file-read-data", path))
	}
	for _, path := range slices.Concat(p.Show, p.Write) {
		b.WriteString(paths("allow", "file-read*", path))
	}
	if p.Network.isPorts() {
		b.WriteString("(deny network-outbound (remote tcp))\n")
		for _, port := range p.Network.Ports {
			fmt.Fprintf(&b, "(allow network-outbound (remote tcp \"*:%d\"))\n", port)
		}
	}
	b.WriteString("(deny signal)\n(allow signal (target same-sandbox))\n")
	return b.String()
}

// paths is a rule for a file, or a folder and everything below.
func paths(verb, operation, path string) string {
	return fmt.Sprintf("(%s %s (literal %s) (subpath %[3]s))\n", verb, operation, quoteString(path))
}

// quoteString is a string of the profile's language.
func quoteString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
