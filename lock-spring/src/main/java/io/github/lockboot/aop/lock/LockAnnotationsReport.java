package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.NoLockOperationsException;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.KotlinFunctions;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.aop.ResultKind;
import io.github.lockboot.aop.SelfInvocations;
import io.github.lockboot.aop.TransactionOrder;

/**
 * Errors and probable mistakes of the annotated methods of an application.
 */
@Internal
public final class LockAnnotationsReport {

	static final String SUSPENDING = "is a suspend function, which can't be locked under weaving:"
			+ " set lock.aspect.mode=proxy, or return a Mono";

	private static final String NO_WEAVER = "lock.aspect.mode is aspectj, but no weaver has woven the aspect:"
			+ " start the JVM with -javaagent:aspectjweaver.jar, or set lock.aspect.mode=proxy";

	/** The annotations of methods that the container calls on a bean itself. */
	private static final Set<String> LIFECYCLE = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy", "jakarta.annotation.Resource", "jakarta.inject.Inject",
			"org.springframework.beans.factory.annotation.Autowired",
			"org.springframework.beans.factory.annotation.Value");

	private static final List<Class<?>> CALLBACKS = List.of(InitializingBean.class, DisposableBean.class, Aware.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<AnnotatedMethod<LockDeclaration>> methods;

	private final AnnotatedMethodInterceptor<LockDeclaration, LockedMethod> interceptor;

	private final ProxyCheck proxies;

	private final TemplateLookup templates;

	private final boolean woven;

	private final int order;

	LockAnnotationsReport(ConfigurableListableBeanFactory beanFactory, List<AnnotatedMethod<LockDeclaration>> methods,
			AnnotatedMethodInterceptor<LockDeclaration, LockedMethod> interceptor, TemplateLookup templates,
			boolean woven, int order) {
		this.beanFactory = beanFactory;
		this.methods = methods;
		this.interceptor = interceptor;
		this.proxies = new ProxyCheck(interceptor, "lock", "locked");
		this.templates = templates;
		this.woven = woven;
		this.order = order;
	}

	/**
	 * Return whether there is nothing to check, for example in an application that uses
	 * only the template.
	 */
	public boolean isEmpty() {
		return this.methods.isEmpty() && !this.woven;
	}

	/** Return the annotated methods of all beans. */
	public List<String> methods() {
		return describe(this.methods.stream());
	}

	private static List<String> describe(Stream<AnnotatedMethod<LockDeclaration>> methods) {
		return methods.map(AnnotatedMethod::describe).distinct().toList();
	}

	/**
	 * Check that there is a template for annotated methods that name no template.
	 * @throws NoLockOperationsException if there is no {@link LockOperations} bean, or if
	 * there are several and none of them is primary
	 */
	public void requireOperations() {
		List<String> methods = describe(this.methods.stream().filter((method) -> !method.declaration().hasTemplate()));
		if (!methods.isEmpty()) {
			this.templates.primary(methods);
		}
	}

	/** Return why methods would run without their lock, or fail at every call. */
	public List<String> findings() {
		if (this.woven && !LockWeaving.isActive()) {
			return List.of(NO_WEAVER);
		}
		return Stream
			.of(problems().stream(), Stream.ofNullable(transactionProblem()), differentScopes(), severalBeans())
			.flatMap((found) -> found)
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	/** Return why one of the methods would run without its lock, or fail. */
	public List<String> problems() {
		return this.methods.stream().map(this::problemOf).filter(Objects::nonNull).distinct().toList();
	}

	/** Return the methods that no proxy, or no weaver, locks. */
	public List<String> unlocked() {
		return describe(this.methods.stream().filter((method) -> unlockedBecause(method) != null));
	}

	private @Nullable String problemOf(AnnotatedMethod<LockDeclaration> locked) {
		String problem = unlockedBecause(locked);
		return (problem != null) ? locked.describe() + " " + problem : problemOfAnnotation(locked);
	}

	private @Nullable String unlockedBecause(AnnotatedMethod<LockDeclaration> locked) {
		String problem = this.woven ? problemOfWoven(locked.method()) : this.proxies.problemOf(locked);
		if (problem == null && !this.woven && locked.declaration().isOnMethod() && isCalledByTheContainer(locked)) {
			problem = "is called by the container on the bean itself and not on its proxy, so that the call"
					+ " would not be locked: move the work of the method into a method of another bean";
		}
		return problem;
	}

	private boolean isCalledByTheContainer(AnnotatedMethod<LockDeclaration> locked) {
		Method method = locked.method();
		return isCallback(method, locked.beanType()) || isInitOrDestroyMethod(locked)
				|| Arrays.stream(method.getAnnotations())
					.anyMatch((annotation) -> LIFECYCLE.contains(annotation.annotationType().getName()));
	}

	private static boolean isCallback(Method method, Class<?> beanType) {
		return ClassUtils.getAllInterfacesForClassAsSet(beanType)
			.stream()
			.filter((type) -> type.getName().startsWith("org.springframework.")
					&& CALLBACKS.stream().anyMatch((callback) -> callback.isAssignableFrom(type)))
			.anyMatch((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()));
	}

	private boolean isInitOrDestroyMethod(AnnotatedMethod<LockDeclaration> locked) {
		String name = locked.method().getName();
		BeanDefinition bean = this.beanFactory.containsBeanDefinition(locked.beanName())
				? this.beanFactory.getMergedBeanDefinition(locked.beanName()) : new RootBeanDefinition();
		String destroy = bean.getDestroyMethodName();
		boolean inferred = AbstractBeanDefinition.INFER_METHOD.equals(destroy)
				&& (name.equals("close") || name.equals("shutdown"));
		return locked.method().getParameterCount() == 0
				&& (inferred || name.equals(bean.getInitMethodName()) || name.equals(destroy) || (destroy == null
						&& name.equals("close") && AutoCloseable.class.isAssignableFrom(locked.beanType())));
	}

	private static @Nullable String problemOfWoven(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return SUSPENDING;
		}
		return isWoven(method) ? null
				: "is not woven: put the annotation on the method itself or on its class, and load the class"
						+ " after the weaver has started";
	}

	/**
	 * Return whether a method is woven: the weaver moves the body into a static method of
	 * the same class.
	 */
	private static boolean isWoven(Method method) {
		return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
			.filter((other) -> other.getName().startsWith(method.getName() + "_aroundBody"))
			.anyMatch((other) -> Arrays.asList(other.getParameterTypes())
				.containsAll(Arrays.asList(method.getParameterTypes())));
	}

	private @Nullable String problemOfAnnotation(AnnotatedMethod<LockDeclaration> locked) {
		try {
			LockedMethod parsed = this.interceptor.find(locked.method(), locked.beanType());
			return (parsed != null) ? unsupported(locked, parsed) : null;
		}
		catch (LockException ex) {
			return ex.getMessage();
		}
	}

	/**
	 * Return why the template does not support a lock. A template other than the primary
	 * one may not have been created yet, so only rare kinds of locks are checked for such
	 * a template.
	 */
	private @Nullable String unsupported(AnnotatedMethod<LockDeclaration> locked, LockedMethod parsed) {
		LockRequest request = parsed.request();
		boolean again = parsed.notAcquired() == NotAcquiredHandler.RERUNNING;
		boolean rare = !(request.isExclusive() || request.isShared()) || request.fair() || again;
		if (!rare && locked.declaration().hasTemplate()) {
			return null;
		}
		LockOperations template = this.templates.get(parsed.template());
		try {
			template.requireSupported(request);
			return (again && !RerunRecord.isSupported(template))
					? locked.describe()
							+ " has onNotAcquired = RERUN, but its store forgets the record of a call when the"
							+ " instance of the caller ends: set THROW or SKIP, or keep the lock in Redis or a database"
					: null;
		}
		catch (UnsupportedOperationException ex) {
			return locked.describe() + " would fail at every call: " + ex.getMessage()
					+ (rare ? ", which the annotation names by 'template'" : "");
		}
	}

	/** Return the methods of which it is unknown which bean has to run them again. */
	private Stream<String> severalBeans() {
		Map<String, List<AnnotatedMethod<LockDeclaration>>> methods = this.methods.stream()
			.filter(this::isRunAgain)
			.collect(Collectors.groupingBy(AnnotatedMethod::describe));
		return methods.entrySet()
			.stream()
			.filter((method) -> method.getValue().size() > 1
					|| !this.beanFactory.isSingleton(method.getValue().get(0).beanName()))
			.map((method) -> method.getKey() + " has onNotAcquired = RERUN, but there is not exactly one bean that can"
					+ " run it again: move the method into a bean of its own, a singleton");
	}

	private boolean isRunAgain(AnnotatedMethod<LockDeclaration> locked) {
		LockedMethod parsed = parsed(locked);
		return parsed != null && parsed.notAcquired() == NotAcquiredHandler.RERUNNING;
	}

	private Stream<@Nullable String> differentScopes() {
		return this.methods.stream()
			.filter((method) -> method.declaration().isOfTransaction())
			.map((method) -> this.methods.stream()
				.filter((other) -> other.declaration().isOfCall())
				.filter((other) -> Objects.equals(nameOf(other), nameOf(method)))
				.findFirst()
				.map((other) -> method.describe() + " and " + other.describe() + " have the same name '" + nameOf(other)
						+ "' and different scopes, so they do not exclude each other: give both methods the"
						+ " same scope or different names")
				.orElse(null));
	}

	/**
	 * Return the transactions of annotated methods that write. Transactions of methods
	 * with an invalid annotation are left out.
	 */
	public List<LockedTransaction> transactions() {
		return TransactionOrder.TRANSACTIONS ? TransactionOrder.transactional(this.beanFactory, ofCalls())
			.stream()
			.map(this::transaction)
			.filter(Objects::nonNull)
			.toList() : List.of();
	}

	private @Nullable LockedTransaction transaction(AnnotatedMethod<LockDeclaration> locked) {
		TransactionAttribute attribute = TransactionOrder.attribute(this.beanFactory, locked.method(),
				locked.beanType());
		LockRequest request = requestOf(locked);
		return (attribute != null && !attribute.isReadOnly() && request != null)
				? new LockedTransaction(locked.describe(), Objects.requireNonNullElse(request.group(), request.name()),
						request.isExclusive() || request.isShared(),
						ResultKind.of(locked.method(), locked.beanType(), ""), attribute)
				: null;
	}

	private List<AnnotatedMethod<LockDeclaration>> ofCalls() {
		return this.methods.stream().filter((method) -> method.declaration().isOfCall()).toList();
	}

	private @Nullable String transactionProblem() {
		List<AnnotatedMethod<LockDeclaration>> ofCalls = ofCalls();
		if (!TransactionOrder.TRANSACTIONS || ofCalls.isEmpty()) {
			return null;
		}
		if (!this.woven) {
			return TransactionOrder.problem(this.beanFactory, "@DistributedLock", this.order,
					"the lock would be released", "lock.aspect.order");
		}
		// woven advice is inside all proxies
		return TransactionOrder.transactional(this.beanFactory, ofCalls)
			.stream()
			.map((method) -> method.describe() + " has a transaction that a proxy begins before the woven lock"
					+ " is acquired: set mode = ASPECTJ in @EnableTransactionManagement, or lock.aspect.mode=proxy")
			.findFirst()
			.orElse(null);
	}

	/** Return probable mistakes, which do not stop the start. */
	public List<String> hints() {
		return Stream
			.of(this.methods.stream()
				.filter((method) -> method.declaration().hasKeyAndNoName())
				.collect(Collectors.groupingBy((method) -> method.beanName() + " " + method.declaration().key()))
				.values()
				.stream()
				.filter((same) -> same.size() > 1)
				.map((same) -> String.join(" and ", same.stream().map(AnnotatedMethod::describe).toList())
						+ " have the same key '" + same.get(0).declaration().key()
						+ "' and no name, so they do not exclude each other. If they should, give them the same name"),
					differentPermits(), retriedInside(), this.methods.stream().flatMap(this::mistakesOfMethod))
			.flatMap((hints) -> hints)
			.distinct()
			.toList();
	}

	private Stream<String> mistakesOfMethod(AnnotatedMethod<LockDeclaration> locked) {
		LockRequest request = requestOf(locked);
		Stream<String> jobs = (request != null) ? new ScheduledJobs(this.beanFactory).mistakes(locked, request)
				: Stream.empty();
		return Stream.concat(jobs, KotlinFunctions.withoutNull(locked.method())
			.stream()
			.map((parameter) -> locked.describe() + " gets the default value of '" + parameter
					+ "' for a null, because Spring calls suspend functions behind a proxy so: give the parameter no"
					+ " default value, or a type without '?'"));
	}

	/** Return the methods that spring-retry repeats inside of their lock. */
	private Stream<String> retriedInside() {
		return this.beanFactory.getBeansOfType(PointcutAdvisor.class, true, false)
			.values()
			.stream()
			.filter((advisor) -> advisor.getClass().getName().startsWith("org.springframework.retry.")
					&& advisor instanceof Ordered ordered && ordered.getOrder() >= this.order)
			.flatMap((advisor) -> this.methods.stream()
				.filter((method) -> AopUtils.canApply(advisor, method.beanType())
						&& advisor.getPointcut().getMethodMatcher().matches(method.method(), method.beanType())))
			.map((method) -> method.describe() + " is @Retryable inside of its lock, which is held for all attempts,"
					+ " and a busy lock is not tried again: set @EnableRetry(order = " + (this.order - 1)
					+ "), below lock.aspect.order");
	}

	/** Return the semaphores of one name with different numbers of permits. */
	private Stream<String> differentPermits() {
		Map<String, Map<Integer, String>> names = new TreeMap<>();
		this.methods.forEach((method) -> {
			String written = method.declaration().permits();
			LockRequest request = (written != null && written.matches("\\d*")) ? requestOf(method) : null;
			if (request != null) {
				names.computeIfAbsent(String.valueOf(request.group()), (name) -> new TreeMap<>())
					.putIfAbsent(request.permits(), request.permits() + " permits by " + method.describe());
			}
		});
		return names.entrySet()
			.stream()
			.filter((name) -> name.getValue().size() > 1)
			.map((name) -> "The semaphore '" + name.getKey() + "' has " + String.join(" and ", name.getValue().values())
					+ ": give all methods of one name the same permits, for instance by lock.locks[" + name.getKey()
					+ "].permits");
	}

	/**
	 * Return which methods call a locked method of their own object, which bypasses the
	 * proxy. A caller with a lock of the same name is left out.
	 */
	Set<String> selfInvocations() {
		return this.woven ? Set.of()
				: SelfInvocations.find(this.methods, (locked) -> String.valueOf(nameOf(locked)), "without its lock");
	}

	/** Return the name of a method's locks, if its annotation is valid. */
	private @Nullable String nameOf(AnnotatedMethod<LockDeclaration> locked) {
		LockRequest request = requestOf(locked);
		return (request != null) ? request.group() : null;
	}

	private @Nullable LockRequest requestOf(AnnotatedMethod<LockDeclaration> locked) {
		LockedMethod found = parsed(locked);
		return (found != null) ? found.request() : null;
	}

	/** Return an annotated method, if its annotation is valid. */
	private @Nullable LockedMethod parsed(AnnotatedMethod<LockDeclaration> locked) {
		try {
			return this.interceptor.find(locked.method(), locked.beanType());
		}
		catch (LockException ex) {
			return null;
		}
	}

	/**
	 * Return one sentence for each name that has methods, but no semaphore.
	 * @param names names for which permits are set
	 * @param isFor returns whether such a name, the first argument, matches that of a
	 * method
	 */
	public List<String> withoutSemaphore(Set<String> names, BiPredicate<String, String> isFor) {
		return names.stream().flatMap((name) -> {
			List<AnnotatedMethod<LockDeclaration>> found = this.methods.stream()
				.filter((method) -> isFor.test(name, String.valueOf(nameOf(method))))
				.toList();
			boolean plain = found.stream().allMatch((method) -> method.declaration().permits() == null);
			return plain ? describe(found.stream()).stream()
				.map((method) -> "lock.locks[" + name + "].permits does not apply: " + method
						+ " has an exclusive lock. Use @DistributedSemaphore")
					: Stream.empty();
		}).toList();
	}

	/**
	 * Return one sentence for each name that no annotated method has.
	 * @param names names, for instance those with settings
	 * @param isFor returns whether such a name, the first argument, matches that of a
	 * method
	 */
	public List<String> unknown(Set<String> names, BiPredicate<String, String> isFor) {
		Set<String> known = this.methods.stream()
			.map(this::nameOf)
			.filter(Objects::nonNull)
			.collect(Collectors.toCollection(TreeSet::new));
		return names.stream()
			.filter((name) -> known.stream().noneMatch((ofMethod) -> isFor.test(name, ofMethod)))
			.map((name) -> "No method with @DistributedLock has the name '" + name + "'; " + MethodNames.known(known))
			.toList();
	}

}
