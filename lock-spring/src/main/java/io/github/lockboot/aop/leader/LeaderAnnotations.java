package io.github.lockboot.aop.leader;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;
import io.github.lockboot.annotation.LeaderOnly;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodAdvisor;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.aop.SelfInvocations;
import io.github.lockboot.leader.LeaderElection;

/**
 * Connects {@link LeaderOnly @LeaderOnly} with the elections of an application.
 */
@Internal
public final class LeaderAnnotations {

	/** Outside of the advice of caches, locks and transactions. */
	private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 300;

	private final ConfigurableListableBeanFactory beanFactory;

	private final StringValueResolver placeholders;

	private final DeclarationFinder<LeaderDeclaration> finder = LeaderDeclaration.finder();

	private final AnnotatedMethodInterceptor<LeaderDeclaration, LeaderMethod> interceptor;

	/**
	 * Create the advice, without creating a bean of the application.
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} for an unknown placeholder
	 */
	public LeaderAnnotations(ConfigurableListableBeanFactory beanFactory, StringValueResolver placeholders) {
		this.beanFactory = beanFactory;
		this.placeholders = placeholders;
		this.interceptor = new AnnotatedMethodInterceptor<>(this.finder, this::parse);
	}

	/** Return the advisor that skips the calls of instances that do not lead. */
	public Advisor advisor() {
		return new AnnotatedMethodAdvisor<>(this.finder, (declaration) -> true, this.interceptor, ORDER,
				this.beanFactory);
	}

	/** Return the annotated methods of all beans, without creating one. */
	public List<String> methods() {
		return this.finder.findAll(this.beanFactory).stream().map(AnnotatedMethod::describe).distinct().toList();
	}

	/** Return why annotated methods would run on every instance, or fail. */
	public List<String> findings() {
		ProxyCheck proxies = new ProxyCheck(this.interceptor, "guard", "guarded");
		return this.finder.findAll(this.beanFactory)
			.stream()
			.map((method) -> problemOf(method, proxies))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	/** Return which methods call an annotated method of their own object. */
	public Set<String> selfInvocations() {
		return SelfInvocations.find(this.finder.findAll(this.beanFactory), AnnotatedMethod::describe,
				"on every instance");
	}

	private @Nullable String problemOf(AnnotatedMethod<LeaderDeclaration> method, ProxyCheck proxies) {
		String problem = proxies.problemOf(method);
		if (problem != null) {
			return method.describe() + " " + problem;
		}
		try {
			this.interceptor.find(method.method(), method.beanType());
			return null;
		}
		catch (IllegalArgumentException ex) {
			return "@LeaderOnly of " + method.describe() + " is invalid: " + ex.getMessage();
		}
	}

	private LeaderMethod parse(LeaderDeclaration declaration, Class<?> targetClass) {
		String role = AnnotationText.resolve(declaration.role(), this.placeholders);
		Assert.isTrue(StringUtils.hasText(role), "its role is blank: name one of lock.leader.roles");
		Method method = declaration.method();
		return LeaderMethod.of(election(role), method, MethodNames.owner(method, targetClass));
	}

	private LeaderElection election(String role) {
		Collection<LeaderElection> elections = BeanFactoryUtils
			.beansOfTypeIncludingAncestors(this.beanFactory, LeaderElection.class)
			.values();
		return elections.stream().filter((election) -> election.role().equals(role)).findFirst().orElseThrow(() -> {
			String roles = elections.stream()
				.map(LeaderElection::role)
				.distinct()
				.sorted()
				.collect(Collectors.joining("', '", "'", "'"));
			return new IllegalArgumentException("no leader is elected for its role '" + role + "', "
					+ (elections.isEmpty() ? "nor for another role" : "but for " + roles)
					+ ": add the role to lock.leader.roles, or define a LeaderElection bean for it");
		});
	}

}
