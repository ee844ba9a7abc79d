package io.github.lockboot.aop.lock;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.LockScope;
import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.MethodNames;

/**
 * The annotation of a method.
 *
 * @param annotation the annotation, with its meta-annotations merged
 * @param rival another annotation at the same place, or {@code null}
 */
record LockDeclaration(MergedAnnotation<DistributedLock> annotation, Method method,
		@Nullable MergedAnnotation<DistributedLock> rival) {

	static DeclarationFinder<LockDeclaration> finder() {
		return new DeclarationFinder<>(List.of(DistributedLock.class.getName()), LockDeclaration::read);
	}

	private static @Nullable LockDeclaration read(MergedAnnotations all, Method method) {
		MergedAnnotation<DistributedLock> annotation = all.get(DistributedLock.class);
		return annotation.isPresent() ? new LockDeclaration(annotation, method, rival(all, annotation)) : null;
	}

	/**
	 * Return another annotation at the same place. A subtype may declare other
	 * annotations than the overridden method.
	 */
	private static @Nullable MergedAnnotation<DistributedLock> rival(MergedAnnotations all,
			MergedAnnotation<DistributedLock> annotation) {
		return all.stream(DistributedLock.class)
			.filter((other) -> other.getAggregateIndex() == annotation.getAggregateIndex())
			.filter((other) -> !other.getMetaTypes().equals(annotation.getMetaTypes()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the default name of a lock: the place of the annotation and the signature of
	 * the method. The class of the target is not used, since the name of a lambda or a
	 * proxy class differs in every JVM.
	 */
	String defaultName() {
		Object place = this.annotation.getSource();
		if (place instanceof Class<?> type) {
			return type.getName() + "." + MethodNames.signature(this.method);
		}
		return MethodNames.describe((place instanceof Method declared) ? declared : this.method);
	}

	/** Return whether the annotation is on the method and not on its type. */
	boolean isOnMethod() {
		return this.annotation.getSource() instanceof Method;
	}

	/**
	 * Return the annotation as written in the code: this annotation, or one that includes
	 * it.
	 */
	String written() {
		return "@" + this.annotation.getRoot().getType().getSimpleName();
	}

	/** Check that there is no second annotation, since only one could lock a call. */
	void checkSingle() {
		MergedAnnotation<DistributedLock> rival = this.rival;
		if (rival != null) {
			throw new IllegalArgumentException(written(this.annotation, rival) + " stands with "
					+ written(rival, this.annotation) + ", and a method can't have two locks. Move one of the"
					+ " annotations to a method of another bean that calls this method");
		}
	}

	/**
	 * Return the annotation as written in the code. If one annotation includes both,
	 * return the part that does not include the other.
	 */
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

	/** Return whether the transaction of the method holds the lock. */
	boolean isOfTransaction() {
		return this.annotation.getEnum("scope", LockScope.class) == LockScope.TRANSACTION;
	}

	/** Return whether the lock is held for the call, with a lease. */
	boolean isOfCall() {
		return !isOfTransaction();
	}

	/**
	 * Return the permits of a semaphore as they are written, or {@code null} for a lock.
	 * A semaphore has this attribute in addition to the attributes of the annotation that
	 * is merged into it.
	 */
	@Nullable String permits() {
		MergedAnnotation<?> around = this.annotation.getMetaSource();
		return (around != null && around.getType() == DistributedSemaphore.class) ? around.getString("permits") : null;
	}

	boolean hasTemplate() {
		return !this.annotation.getString("template").isEmpty();
	}

}
