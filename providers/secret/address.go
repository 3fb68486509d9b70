package secret

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// addressSecrets returns the passwords of the URLs and data source names in a value, and the
// tokens in the place of a user name. Values that a parser of URLs refuses also count,
// since programs accept them: a password as typed, with slashes or signs in it.
func addressSecrets(text string) []string {
	var found []string
	for _, at := range scheme().FindAllStringSubmatchIndex(text, -1) {
		whole := strings.Fields(text[at[0]:])[0]
		found = append(found, addressSecretsOf(strings.ToLower(text[at[2]:at[3]]), whole)...)
	}
	if m := source().FindStringSubmatch(text); m != nil && !strings.Contains(text, "://") {
		found = append(found, m[1])
	}
	// Programs print a password as it is used, not as it is spelled in the address.
	for _, s := range slices.Clone(found) {
		for _, decode := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} {
			if plain, err := decode(s); err == nil {
				found = append(found, plain)
			}
		}
	}
	return found
}

var (
	scheme = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*)://`)
	})
	// source is an address without a scheme: of a driver for databases, which names the
	// way to the host, or as people write them.
	source = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[^\s:/@]+:(\S+)@(?:\w*\(.*\)\S*|[\w.-]+:\d{1,5}(?:/\S*)?|[\w.-]*/\S*)$`)
	})
	// stores are the schemes of addresses that have no @ behind their host.
	stores = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(postgres(ql)?|mysql|mariadb|mongodb|rediss?|valkey|amqps?|sqlserver|mssql|oracle|clickhouse|cockroachdb|nats|kafka|ldaps?|smtps?)(\+\w+)?$`)
	})
	// logins are words in the place of a password if the token is the user.
	logins = []string{"x-oauth-basic", "x-token-auth"}
)

// addressSecretsOf looks into one address.
func addressSecretsOf(scheme, whole string) []string {
	var found []string
	for _, login := range userinfo(scheme, whole) {
		user, password, _ := strings.Cut(login, ":")
		// Of such a pair, the token is the user.
		if password != "" && !slices.Contains(logins, password) {
			found = append(found, password)
		} else if isToken(user) {
			found = append(found, user)
		}
	}
	return found
}

// userinfo returns the candidates for the part before the host. If its end is uncertain there
// are several: up to the last @ before the path, before the query, and of the whole. One that
// is too long appears in no text and does no harm.
func userinfo(scheme, whole string) []string {
	_, rest, _ := strings.Cut(whole, "://")
	strict := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		strict = rest[:i]
	}
	if _, err := url.Parse(whole); err == nil && !strings.Contains(strict, "@") && !stores().MatchString(scheme) {
		// The @ is part of the path.
		return nil
	}
	asked, _, _ := strings.Cut(rest, "?")
	var all []string
	// A password as typed may have slashes and question marks in it, so its end is uncertain.
	for _, end := range []string{strict, asked, rest} {
		if i := strings.LastIndexByte(end, '@'); i >= 0 {
			all = append(all, end[:i])
		}
	}
	return all
}

// token matches the prefixes of the tokens of services.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(gh[opusr]_|github_pat_|glpat-|xox[a-z]-|[rs]k_live_|sk-|npm_|pypi-|hf_|dop_v1_|AIza|AKIA|ASIA|ATATT|ya29\.|SG\.|eyJ|-----BEGIN)`)
})

// isToken reports whether a user is a token: it says so, or no name is like it.
func isToken(user string) bool {
	return !strings.ContainsAny(user, "/@") && (token().MatchString(user) || len(user) >= 20 && strings.ContainsAny(user, "0123456789"))
}
