package io.github.lockboot.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * An annotation as it was found for a method.
 *
 * @param annotation the annotation, its meta-annotations merged
 * @param method the method that it is for, in the class or interface where it was looked
 * up
 * @param rival another one at the same place, or {@code null}
 */
record LockDeclaration(MergedAnnotation<DistributedLock> annotation, Method method,
		@Nullable MergedAnnotation<DistributedLock> rival) {

	/**
	 * The name of a lock that has none: where the annotation stands and the signature of
	 * the method. The place and not the class of the target, since the name of a lambda
	 * or a proxy class differs in every JVM.
	 */
	String defaultName() {
		Object place = this.annotation.getSource();
		if (place instanceof Class<?> type) {
			return type.getName() + "." + signature(this.method);
		}
		return describe((place instanceof Method declared) ? declared : this.method);
	}

	/** The annotation as it stands in the code: this one, or one that includes it. */
	String written() {
		return "@" + this.annotation.getRoot().getType().getSimpleName();
	}

	/**
	 * Throw if there are two annotations, of which only one could lock a call.
	 * @throws IllegalArgumentException if so
	 */
	void checkSingle() {
		MergedAnnotation<DistributedLock> rival = this.rival;
		if (rival != null) {
			throw new IllegalArgumentException(written(this.annotation, rival) + " stands beside "
					+ written(rival, this.annotation) + ", and one method can't have two locks: put one of them on a"
					+ " method of another bean, which calls this one");
		}
	}

	/** Of an annotation that includes both, the part that does not include the other. */
	private static String written(MergedAnnotation<?> annotation, MergedAnnotation<?> other) {
		List<Class<? extends Annotation>> path = annotation.getMetaTypes();
		int common = 0;
		while (path.get(common) == other.getMetaTypes().get(common)) {
			common++;
		}
		return "@" + path.get(common).getSimpleName();
	}

	String key() {
		return this.annotation.getString("key");
	}

	boolean hasKeyAndNoName() {
		return !key().isEmpty() && this.annotation.getString("name").isEmpty();
	}

	boolean hasTemplate() {
		return !this.annotation.getString("template").isEmpty();
	}

	static String describe(Method method) {
		return method.getDeclaringClass().getName() + "." + signature(method);
	}

	private static String signature(Method method) {
		return method.getName() + Arrays.stream(method.getParameterTypes())
			.map(LockDeclaration::typeName)
			.collect(Collectors.joining(",", "(", ")"));
	}

	private static String typeName(Class<?> type) {
		String name = type.getTypeName();
		return (type.getPackageName().equals("java.lang")) ? name.substring(name.lastIndexOf('.') + 1) : name;
	}

}
