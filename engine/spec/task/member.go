package task

import (
	"fmt"
	"slices"
	"strings"
)

// Me is the word for the person who calls.
const Me = "@me"

// NormalizeMember returns the name of a person as it is stored: trimmed, without the @ in front. "@me" is kept.
func NormalizeMember(value string) string {
	value = strings.TrimSpace(value)
	if strings.EqualFold(value, Me) {
		return Me
	}
	return strings.TrimSpace(strings.TrimLeft(value, "@"))
}

// SameMember reports whether two names are those of one person: case and the @ in front do not count.
func SameMember(a, b string) bool {
	return strings.EqualFold(NormalizeMember(a), NormalizeMember(b))
}

// MemberError reports a person who is not among the members of a project that allows only these.
type MemberError struct {
	Role    string // Assignee or Reporter
	Value   string
	Project string
	Allowed []string
}

// membersShown limits the members that an error names.
const membersShown = 10

// Error names the role, the person, the project and its first members.
func (e *MemberError) Error() string {
	if len(e.Allowed) == 0 {
		return fmt.Sprintf("%s '%s' is not allowed: project '%s' has strict_members, but no members are configured",
			e.Role, e.Value, e.Project)
	}
	names := strings.Join(e.Allowed[:min(len(e.Allowed), membersShown)], ", ")
	if more := len(e.Allowed) - membersShown; more > 0 {
		names += fmt.Sprintf(", … (+%d more)", more)
	}
	return fmt.Sprintf("%s '%s' is not in configured members for project '%s'. Allowed members: %s",
		e.Role, e.Value, e.Project, names)
}

// CheckMember returns a *MemberError if only members are allowed and the value is not one. role is "assignee" or
// "reporter". An empty value is allowed.
func (s *Settings) CheckMember(role, value string) error {
	if !s.StrictMembers || NormalizeMember(value) == "" {
		return nil
	}
	// Case and the @ in front do not count.
	if slices.ContainsFunc(s.Members, func(m string) bool { return SameMember(m, value) }) {
		return nil
	}
	role = strings.ToUpper(role[:1]) + role[1:]
	return &MemberError{Role: role, Value: NormalizeMember(value), Project: s.Project, Allowed: s.Members}
}
