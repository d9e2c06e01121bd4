package codec

import (
	"fmt"
	"reflect"
	"strings"
)

// difference names the first field in which two pointers to structs of one type differ, with its two values:
// "people[2].id is 4, not 5". It is "" where they are equal. Fields that are not exported, protobuf's own, don't count.
func difference(got, want any) string {
	return strings.TrimPrefix(differ(reflect.ValueOf(got), reflect.ValueOf(want)), ".")
}

// differ leaves the path before its result to the caller, so that nothing is made where nothing differs.
func differ(got, want reflect.Value) string {
	switch want.Kind() {
	case reflect.Pointer:
		if got.IsNil() != want.IsNil() {
			return fmt.Sprintf(" is absent: %v, not %v", got.IsNil(), want.IsNil())
		}
		if want.IsNil() {
			return ""
		}
		return differ(got.Elem(), want.Elem())
	case reflect.Struct:
		return differInFields(got, want)
	case reflect.Slice:
		return differInElements(got, want)
	default:
		if got.Interface() != want.Interface() {
			return fmt.Sprintf(" is %#v, not %#v", got, want)
		}
		return ""
	}
}

func differInFields(got, want reflect.Value) string {
	for i := range want.NumField() {
		field := want.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		if d := differ(got.Field(i), want.Field(i)); d != "" {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return "." + name + d
		}
	}
	return ""
}

func differInElements(got, want reflect.Value) string {
	if got.Len() != want.Len() {
		return fmt.Sprintf(" has %d elements, not %d", got.Len(), want.Len())
	}
	for i := range want.Len() {
		if d := differ(got.Index(i), want.Index(i)); d != "" {
			return fmt.Sprintf("[%d]%s", i, d)
		}
	}
	return ""
}
