package io.github.lockboot.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

import io.github.lockboot.Internal;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockOperations;
import io.github.lockboot.expression.KeyExpressionParser;

/**
 * Wires {@link DistributedLock @DistributedLock} into an application: gives the advisor,
 * and answers what there is to be said about the annotated methods when the application
 * starts.
 *
 * @since 1.0.0
 */
@Internal
public final class LockAnnotations {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor",
			LockAnnotations.class.getClassLoader());

	private final LockDeclarationFinder finder = new LockDeclarationFinder();

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockAttributesSource attributes;

	private final DistributedLockInterceptor interceptor;

	private final int order;

	/**
	 * Create the wiring. Makes no bean of the application.
	 * @param beanFactory the beans of the application
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} where it can't
	 * @param defaults what an annotation that says nothing gets, by its name; asked when
	 * a method is first called or checked
	 * @param order order of the advisor; lower is further outside
	 */
	public LockAnnotations(ConfigurableListableBeanFactory beanFactory, StringValueResolver placeholders,
			Function<String, LockDefaults> defaults, int order) {
		this.beanFactory = beanFactory;
		this.order = order;
		this.attributes = new LockAttributesSource(this.finder,
				new LockAttributesParser(new KeyExpressionParser(beanFactory, placeholders), placeholders, defaults));
		this.interceptor = new DistributedLockInterceptor(this.attributes,
				SingletonSupplier.of(() -> operations(List.of("this call"))), System::nanoTime);
	}

	/**
	 * Return the advisor that locks annotated methods.
	 * @return a new advisor
	 */
	public Advisor advisor() {
		return new DistributedLockAdvisor(this.finder, this.interceptor, this.order);
	}

	/**
	 * Return the annotated methods of all beans.
	 * @return class, method and parameter types of each
	 */
	public List<String> methods() {
		return lockedMethods().stream().map(LockedMethod::describe).distinct().toList();
	}

	/**
	 * Throw if there are annotated methods and nothing to lock them with.
	 * @throws NoLockOperationsException if there is no {@link LockOperations} bean, or
	 * several and none of them primary
	 */
	public void requireOperations() {
		List<String> methods = methods();
		if (!methods.isEmpty()) {
			operations(methods);
		}
	}

	/**
	 * Return why annotated methods would run without their lock or fail at every call.
	 * @return one sentence each, with class, method and cure; empty if all is well
	 */
	public List<String> findings() {
		List<LockedMethod> methods = lockedMethods();
		LockedMethodCheck check = new LockedMethodCheck(this.attributes, this.interceptor);
		List<String> findings = new ArrayList<>(
				methods.stream().map(check::problemOf).filter(Objects::nonNull).distinct().toList());
		String order = (TRANSACTIONS && !methods.isEmpty())
				? TransactionOrderCheck.problem(this.beanFactory, this.order) : null;
		if (order != null) {
			findings.add(order);
		}
		return findings;
	}

	private List<LockedMethod> lockedMethods() {
		return new LockedMethods(this.beanFactory, this.finder).findAll();
	}

	private LockOperations operations(List<String> methods) {
		try {
			return this.beanFactory.getBean(LockOperations.class);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new NoLockOperationsException(methods, ex);
		}
	}

}
