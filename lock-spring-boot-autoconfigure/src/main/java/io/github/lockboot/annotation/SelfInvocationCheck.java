package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.asm.Type;

import io.github.lockboot.annotation.SelfInvocations.SelfInvocation;

/**
 * Tells which methods call a locked one of their own object, which no proxy sees.
 */
final class SelfInvocationCheck {

	private final LockAttributesSource attributes;

	SelfInvocationCheck(LockAttributesSource attributes) {
		this.attributes = attributes;
	}

	/**
	 * Return what would run unlocked. A caller that is locked under the same name is left
	 * out.
	 * @return one sentence each
	 */
	List<String> problemsOf(List<LockedMethod> methods) {
		Map<Class<?>, List<LockedMethod>> byType = methods.stream()
			.collect(Collectors.groupingBy((method) -> method.method().getDeclaringClass(), LinkedHashMap::new,
					Collectors.toList()));
		return byType.entrySet().stream().flatMap((type) -> problemsOf(type.getKey(), type.getValue())).toList();
	}

	private Stream<String> problemsOf(Class<?> type, List<LockedMethod> locked) {
		Map<String, String> names = new HashMap<>();
		locked.forEach((each) -> names.put(signature(each.method()), String.valueOf(this.attributes.nameOf(each))));
		return SelfInvocations.find(type, locked.stream().map(LockedMethod::method).toList())
			.stream()
			.filter((call) -> !names.getOrDefault(call.caller(), "").equals(names.get(signature(call.locked()))))
			.map((call) -> problem(type, call))
			.distinct();
	}

	private static String problem(Class<?> type, SelfInvocation call) {
		return type.getName() + "." + call.callerName() + " calls " + call.locked().getName()
				+ " of its own object, which is not locked then: call it through the bean, from another one";
	}

	private static String signature(Method method) {
		return method.getName() + Type.getMethodDescriptor(method);
	}

}
