package schema

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// matchesFormat reports whether a text has a format. Every text has an unknown one.
func matchesFormat(name, text string) bool {
	switch name {
	case "regex":
		_, err := regexp.Compile(text)
		return err == nil
	case "date":
		return isDate(text)
	case "time":
		return isTime(text)
	case "date-time":
		return len(text) > 10 && (text[10] == 'T' || text[10] == 't') && isDate(text[:10]) && isTime(text[11:])
	case "period":
		return isPeriod(text)
	case "ipv4":
		address, err := netip.ParseAddr(text)
		return err == nil && address.Is4()
	case "ipv6":
		return isIPv6(text)
	case "hostname":
		return isHostname(text)
	case "email":
		return isEmail(text)
	case "uri", "iri":
		address, ok := parseAddress(text)
		return ok && address.IsAbs()
	case "uri-reference", "iri-reference":
		_, ok := parseAddress(text)
		return ok
	case "duration":
		return isDuration(text)
	}
	// A format that chant does not know is no condition, as the standard demands.
	pattern, known := formatPatterns()[name]
	return !known || pattern.MatchString(text)
}

const (
	jsonPointer = `(/([^~/]|~[01])*)*`
	// The variables of a URI template (RFC 6570, section 2).
	templateName     = `([A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(\.([A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*`
	templateVariable = templateName + `(\*|:[1-9][0-9]{0,3})?`
)

// formatPatterns are the formats that a regular expression describes completely.
var formatPatterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	patterns := map[string]*regexp.Regexp{}
	for name, text := range map[string]string{
		"json-pointer":          jsonPointer,
		"relative-json-pointer": `(0|[1-9][0-9]*)(#|` + jsonPointer + `)`,
		"uuid":                  `[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}`,
		"uri-template":          `([^{}]|\{[+#./;?&=,!@|]?` + templateVariable + `(,` + templateVariable + `)*\})*`,
		"semver": `(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
			`(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?`,
	} {
		patterns[name] = regexp.MustCompile(`^(?s:` + text + `)$`)
	}
	return patterns
})

var (
	durationPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$`)
	})
	timePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d\d):(\d\d):(\d\d)(\.\d+)?([zZ]|[+-]\d\d:\d\d)$`)
	})
)

func isDuration(text string) bool {
	return text != "P" && !strings.HasSuffix(text, "T") && durationPattern().MatchString(text)
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// isTime checks a time of RFC 3339.
func isTime(text string) bool {
	found := timePattern().FindStringSubmatch(text)
	if found == nil {
		return false
	}
	leap := found[3] == "60"
	clock := found[1] + ":" + found[2] + ":" + found[3]
	// The package time knows no leap seconds.
	if leap {
		clock = found[1] + ":" + found[2] + ":59"
	}
	at, err := time.Parse(time.TimeOnly, clock)
	if err != nil {
		return false
	}
	if zone := found[5]; !strings.EqualFold(zone, "z") {
		offset, err := time.Parse("15:04", zone[1:])
		if err != nil {
			return false
		}
		shift := time.Duration(offset.Hour())*time.Hour + time.Duration(offset.Minute())*time.Minute
		if zone[0] == '+' {
			shift = -shift
		}
		at = at.Add(shift)
	}
	// A leap second is at the end of a day in UTC.
	return !leap || at.Hour() == 23 && at.Minute() == 59
}

// isPeriod checks two ends, or one and the length (RFC 3339, appendix A).
func isPeriod(text string) bool {
	start, end, found := strings.Cut(text, "/")
	switch {
	case !found:
		return false
	case isDuration(start):
		return matchesFormat("date-time", end)
	}
	return matchesFormat("date-time", start) && (isDuration(end) || matchesFormat("date-time", end))
}

func isIPv6(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is6() && address.Zone() == ""
}

// isHostname checks a name of RFC 1123.
func isHostname(text string) bool {
	text = strings.TrimSuffix(text, ".")
	if len(text) > 253 {
		return false
	}
	for label := range strings.SplitSeq(text, ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
		for _, r := range label {
			if r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
				return false
			}
		}
	}
	return true
}

// isEmail checks an address of RFC 5321 without comments.
func isEmail(text string) bool {
	at := strings.LastIndexByte(text, '@')
	if at < 1 || at > 64 || len(text) > 254 {
		return false
	}
	local, domain := text[:at], text[at+1:]
	switch {
	// A quoted local part may contain almost anything.
	case len(local) > 1 && strings.HasPrefix(local, `"`) && strings.HasSuffix(local, `"`):
		if strings.ContainsAny(local[1:len(local)-1], `\"`) {
			return false
		}
	case strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, ".."),
		strings.ContainsFunc(local, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"(),:;<>@[\]`, r) }):
		return false
	}
	literal, bracketed := strings.CutPrefix(domain, "[")
	if !bracketed {
		return isHostname(domain)
	}
	literal, bracketed = strings.CutSuffix(literal, "]")
	if six, ok := strings.CutPrefix(literal, "IPv6:"); ok {
		return bracketed && isIPv6(six)
	}
	return bracketed && matchesFormat("ipv4", literal)
}

// parseAddress reads a URI reference.
func parseAddress(text string) (*url.URL, bool) {
	// Some parsers read a backslash as a slash, which would lead elsewhere.
	if strings.ContainsRune(text, '\\') {
		return nil, false
	}
	address, err := url.Parse(text)
	if err != nil {
		return nil, false
	}
	if host := address.Hostname(); strings.Contains(host, ":") && (!strings.Contains(address.Host, "[") || !isIPv6(host)) {
		return nil, false
	}
	return address, true
}
